import { existsSync, readFileSync } from "node:fs";
import { describe, vi } from "vitest";
import type { Cluster } from "../index.ts";
import { throttle } from "../scenario/presets.ts";
import { clusterTest, expect, test } from "./vitest.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { color: "blue" } };

describe("a test's cluster", () => {
  test("is ready", async ({ cluster }) => {
    await cluster.create(configMap);
    await expect(cluster).toHaveObject(configMap);
  });

  test("belongs to one test", async ({ cluster }) => {
    await expect(cluster).not.toHaveObject(configMap);
  });

  const prepared = clusterTest({ controllers: [], prepare: (cluster) => cluster.create(configMap) });

  for (const time of ["first", "second"]) {
    prepared(`is in the prepared state, the ${time} time`, async ({ cluster }) => {
      await expect(cluster).toHaveObject(configMap);
      await cluster.delete("v1", "ConfigMap", "a");
    });
  }

  test("is served on a port", async ({ server, kubeconfig }) => {
    expect(readFileSync(kubeconfig, "utf8")).toContain(server.url);
  });

  test("has a kubeconfig for each user", async ({ cluster, server, kubeconfigFor }) => {
    const config = readFileSync(kubeconfigFor({ user: "alice" }), "utf8");
    const [, token = ""] = /token: "(.*)"/.exec(config) ?? [];
    await cluster.fetch(`${server.url}/version`, { headers: { authorization: `Bearer ${token}` } });
    expect(cluster).toHaveRequested({ user: "alice" });
  });

  let last = "";
  test("has a kubeconfig", ({ kubeconfig }) => {
    last = kubeconfig;
    expect(existsSync(last)).toBe(true);
  });
  test("is removed with its kubeconfig", () => {
    expect(existsSync(last)).toBe(false);
  });

  test.fails("fails a test with an unused fault", ({ cluster }) => {
    cluster.inject(throttle({ verb: "list", resource: "pods" }));
  });
});

const role = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name: "reader" },
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
};

test("toBeLeastPrivilege compares roles with the requests of a user", async ({ cluster }) => {
  await cluster.as("alice").list("v1", "ConfigMap", { namespace: "default" });
  await cluster.as("bob").list("v1", "Node");
  const user = { user: "alice" };
  await expect((async () => expect(cluster).toBeLeastPrivilege(role, user))()).rejects.toThrow(
    'Role default/reader allows {"apiGroups":[""],"resources":["configmaps"],"verbs":["get"]}, which no request needed',
  );
  const { yaml } = await cluster.requests.leastPrivilege(user);
  await expect(cluster).toBeLeastPrivilege(yaml, user);
  await expect(cluster).not.toBeLeastPrivilege(yaml, { user: "bob" });
});

test("toHaveCondition reads the status of an object", async ({ cluster }) => {
  const { items } = await cluster.list("apiregistration.k8s.io/v1", "APIService");
  expect(items[0]).toHaveCondition("Available", { reason: "Local" });
  expect(items[0]).not.toHaveCondition("Available", { status: "False" });
  expect(() => expect(items[0]).toHaveCondition("Ready")).toThrow(
    "The object has no condition Ready. It has Available (True)",
  );
});

describe("a request for an unserved path", () => {
  const ask = (cluster: Cluster, path: string) =>
    cluster.fetch(`https://cluster.test${path}`, {
      headers: { authorization: `Bearer ${cluster.token("alice")}` },
    });

  test.fails("fails the test", async ({ cluster }) => {
    await ask(cluster, "/apis/example.com/v1/widgets");
  });

  const lenient = clusterTest({ allowUnserved: [/^\/apis\/example\.com\//] });
  lenient("may be allowed", async ({ cluster }) => {
    const { status } = await ask(cluster, "/apis/example.com/v1/widgets");
    expect(status).toBe(404);
  });

  test("is reported together with unused faults", async ({ cluster }) => {
    cluster.inject(throttle({ verb: "list", resource: "pods" }));
    await ask(cluster, "/apis/example.com/v1/widgets");
    expect(() => cluster.check()).toThrow(
      /The fault throttle was never used[\s\S]*Kubernetes 1.32 does not serve this path/,
    );
    cluster.requests.clear();
  });
});

describe("toHaveObject", () => {
  test("shows the differences", async ({ cluster }) => {
    await cluster.create(configMap);
    const other = { ...configMap, data: { color: "red" } };
    await expect(expect(cluster).toHaveObject(other)).rejects.toThrow(
      'ConfigMap default/a differs from the expected object:\n  data.color is "blue", expected "red"',
    );
  });

  test("accepts asymmetric matchers for fields", async ({ cluster }) => {
    await cluster.create(configMap);
    const metadata = { name: "a", uid: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    await expect(cluster).toHaveObject({ ...configMap, metadata });
    const other = { ...configMap, data: { color: expect.stringContaining("red") } };
    await expect(expect(cluster).toHaveObject(other)).rejects.toThrow(
      'data.color is "blue", expected StringContaining "red"',
    );
  });

  test("accepts objects of any type", async ({ cluster }) => {
    class Event {
      readonly apiVersion = "v1";
      readonly kind = "Event";
      readonly metadata = { name: "a" };
      readonly involvedObject = { namespace: "default" };
      readonly lastTimestamp: Date;
      constructor(lastTimestamp: string) {
        this.lastTimestamp = new Date(lastTimestamp);
      }
    }
    const event = new Event("2026-01-02T03:04:05.678Z");
    await cluster.create(event);
    await expect(cluster).toHaveObject(event);
    await expect(expect(cluster).toHaveObject(new Event("2026-01-02T03:04:06Z"))).rejects.toThrow(
      'lastTimestamp is "2026-01-02T03:04:05Z", expected "2026-01-02T03:04:06.000Z"',
    );
  });

  test("needs the name of the object", async ({ cluster }) => {
    await expect(expect(cluster).toHaveObject({ ...configMap, metadata: {} })).rejects.toThrow(
      "an expected object needs apiVersion, kind and metadata.name",
    );
  });

  test("says that the object is missing", async ({ cluster }) => {
    await expect(expect(cluster).toHaveObject(configMap)).rejects.toThrow(
      "The cluster has no ConfigMap default/a (v1)",
    );
  });
});

describe("toEventuallyHaveObject", () => {
  const blue = configMap;
  const red = { ...configMap, data: { color: "red" } };

  test("passes when the object appears, and when it changes", async ({ cluster }) => {
    const appears = expect(cluster).toEventuallyHaveObject(red);
    await cluster.create(red);
    await appears;
    const changes = expect(cluster).toEventuallyHaveObject(blue, { timeout: "10s" });
    await cluster.update(blue);
    await changes;
  });

  test("negated, passes when the object differs, and when it is gone", async ({ cluster }) => {
    await cluster.create(red);
    const differs = expect(cluster).not.toEventuallyHaveObject(red);
    await cluster.update(blue);
    await differs;
    const isGone = expect(cluster).not.toEventuallyHaveObject(blue);
    await cluster.delete("v1", "ConfigMap", "a");
    await isGone;
  });

  test("shows the last differences when the time is over", async ({ cluster }) => {
    await expect(expect(cluster).toEventuallyHaveObject(blue, { timeout: 20 })).rejects.toThrow(
      "The cluster has no ConfigMap default/a (v1)\nThis was the last state after 20 ms",
    );
    await cluster.create(red);
    await expect(expect(cluster).toEventuallyHaveObject(blue, { timeout: "20ms" })).rejects.toThrow(
      'ConfigMap default/a differs from the expected object:\n  data.color is "red", expected "blue"\n' +
        "This was the last state after 20ms",
    );
    await expect(expect(cluster).not.toEventuallyHaveObject(red, { timeout: 20 })).rejects.toThrow(
      "Expected the cluster not to have ConfigMap default/a with these fields",
    );
  });

  test("works with fake timers", async ({ cluster, onTestFinished }) => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const appears = expect(cluster).toEventuallyHaveObject(blue);
    await cluster.create(blue);
    await appears;
    await expect(expect(cluster).toEventuallyHaveObject(red, { timeout: 20 })).rejects.toThrow(
      'data.color is "blue", expected "red"',
    );
  });

  test("fails for a kind that the cluster does not serve", async ({ cluster }) => {
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } };
    await expect(expect(cluster).toEventuallyHaveObject(widget)).rejects.toThrow("Widget");
  });
});

describe("toHaveRequested", () => {
  const list = { verb: "list", resource: "configmaps" };

  test("shows the nearest request", async ({ cluster }) => {
    await cluster.as("alice").list("v1", "ConfigMap");
    expect(() => expect(cluster).toHaveRequested({ ...list, user: "bob", path: /configmaps$/ })).toThrow(
      ", found 0.\nThe nearest request differs in user:\n  GET /api/v1/configmaps 200 alice",
    );
  });

  test("says that there were no requests", ({ cluster }) => {
    expect(() => expect(cluster).toHaveRequested(list)).toThrow("There were no requests of clients.");
  });

  test("counts requests of clients, but not calls of the test", async ({ cluster }) => {
    await cluster.list("v1", "ConfigMap");
    expect(cluster).not.toHaveRequested(list);
    for (let n = 0; n < 2; n++) await cluster.as("alice").list("v1", "ConfigMap", { namespace: "default" });
    expect(cluster).toHaveRequested(list);
    expect(cluster).toHaveRequested({ ...list, user: "alice" }, 2);
    expect(() => expect(cluster).toHaveRequested(list, 3)).toThrow(
      'Expected exactly 3 requests matching {"verb":"list","resource":"configmaps"}, found 2.\n' +
        "The newest requests:\n" +
        "  GET /api/v1/namespaces/default/configmaps 200 alice\n" +
        "  GET /api/v1/namespaces/default/configmaps 200 alice",
    );
  });
});
