const { existsSync, readFileSync } = require("node:fs");
const { useCluster } = require("kubedouble/jest");
const { conflict } = require("kubedouble/scenarios");

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { color: "blue" } };

describe("a test's cluster", () => {
  const double = useCluster({ prepare: (cluster) => cluster.create(configMap) });

  for (const time of ["first", "second"]) {
    test(`is in the prepared state, the ${time} time`, async () => {
      await expect(double.cluster).toHaveObject(configMap);
      await double.cluster.delete("v1", "ConfigMap", "a");
      await expect(double.cluster).not.toHaveObject(configMap);
    });
  }

  test("is served on a port", async () => {
    const { url } = await double.server();
    expect(readFileSync(await double.kubeconfig(), "utf8")).toContain(url);
  });

  let last = "";
  test("has one kubeconfig", async () => {
    last = await double.kubeconfig();
    expect(await double.kubeconfig()).toBe(last);
    expect(existsSync(last)).toBe(true);
  });
  test("is removed with its kubeconfig", () => expect(existsSync(last)).toBe(false));

  test("has the injected faults", async () => {
    double.cluster.inject(conflict({ resource: "configmaps" }));
    const alice = double.cluster.as("alice");
    const live = await alice.get("v1", "ConfigMap", "a");
    await expect(alice.update(live)).rejects.toMatchObject({ status: { reason: "Conflict" } });
    expect(double.cluster).toHaveRequested({ verb: "update", resource: "configmaps", user: "alice" }, 1);
    expect(() => expect(double.cluster).toHaveRequested({ verb: "patch", resource: "configmaps" })).toThrow(
      "The nearest request differs in verb:\n  PUT /api/v1/namespaces/default/configmaps/a 409 alice",
    );
  });

  test("accepts Jest's asymmetric matchers for fields", async () => {
    await expect(double.cluster).toHaveObject({ ...configMap, data: { color: expect.stringMatching(/^b/) } });
    await expect(
      expect(double.cluster).toHaveObject({ ...configMap, data: { color: expect.any(Number) } }),
    ).rejects.toThrow('data.color is "blue", expected Any<Number>');
  });
});

describe("roles", () => {
  const double = useCluster();

  test("are compared with the requests of a user", async () => {
    const { cluster } = double;
    await cluster.as("alice").list("v1", "ConfigMap", { namespace: "default" });
    const { yaml } = await cluster.requests.leastPrivilege({ user: "alice" });
    await expect(cluster).toBeLeastPrivilege(yaml);
    await cluster.as("alice").get("v1", "Namespace", "kube-public");
    await expect(expect(cluster).toBeLeastPrivilege(yaml)).rejects.toThrow(
      'the requests needed a ClusterRole with {"apiGroups":[""],"resources":["namespaces"],"resourceNames":["kube-public"],"verbs":["get"]}',
    );
  });
});

describe("a cluster of another release", () => {
  const double = useCluster({ release: "1.24" });

  test("exists only in its describe", async () => {
    expect(double.cluster.release).toBe("1.24");
    await double.cluster.as("alice").list("policy/v1beta1", "PodDisruptionBudget");
  });
});

const outside = useCluster();
test("a cluster exists only while a test runs", () => {
  expect(outside.cluster.release).toBe("1.32");
});
afterAll(() => {
  expect(() => outside.cluster).toThrow("use it inside a test");
});
