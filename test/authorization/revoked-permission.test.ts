import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, type ClusterClient, createCluster } from "../../src/index.ts";
import { permissionRevoked } from "../../src/scenario/presets.ts";

const apiGroup = "rbac.authorization.k8s.io";
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });

let cluster: Cluster;
let alice: ClusterClient;

beforeEach(async () => {
  cluster = createCluster({ controllers: [], authorizationMode: "RBAC" });
  alice = cluster.as("alice");
  await cluster.create({
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "editors" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "User", name: "alice", apiGroup }],
  });
  return () => cluster.close();
});

const canI = async (client: ClusterClient, verb: string, name = ""): Promise<unknown> => {
  const review = await client.create({
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    metadata: {},
    spec: { resourceAttributes: { verb, resource: "configmaps", namespace: "default", name } },
  });
  return (review as { status?: unknown }).status;
};

const refusedList =
  /^configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"$/;

/** The next change that a watch sees. */
async function nextOf(watch: AsyncIterator<{ object: { metadata: { name: string } } }>): Promise<string> {
  const { value } = await watch.next();
  return value.object.metadata.name;
}

describe.each<[string, () => Promise<unknown>]>([
  ["a binding that is deleted", () => cluster.delete(`${apiGroup}/v1`, "ClusterRoleBinding", "editors")],
  [
    "a role that loses its rules",
    () => cluster.patch(`${apiGroup}/v1`, "ClusterRole", "cluster-admin", { rules: [] }, { type: "merge" }),
  ],
  [
    "the failure permissionRevoked",
    async () => cluster.inject(permissionRevoked({ user: "alice", resource: "configmaps", times: 9 })),
  ],
])("%s revokes a permission under a running client", (_title, revoke) => {
  test("whose open watch goes on, and whose next request is refused", async () => {
    const { metadata } = await alice.list("v1", "ConfigMap", { namespace: "default" });
    const watch = alice
      .watch("v1", "ConfigMap", { namespace: "default", resourceVersion: metadata.resourceVersion })
      [Symbol.asyncIterator]();
    const first = nextOf(watch);
    await cluster.create(configMap("before"));
    expect(await first).toBe("before");
    await revoke();
    const second = nextOf(watch);
    await cluster.create(configMap("after"));
    expect(await second).toBe("after");
    await expect(alice.list("v1", "ConfigMap", { namespace: "default" })).rejects.toThrow(refusedList);
    await watch.return?.();
  });

  test("who can ask about it", async () => {
    expect(await canI(alice, "list")).toMatchObject({ allowed: true });
    await revoke();
    expect(await canI(alice, "list")).toMatchObject({ allowed: false });
    const access = { verb: "list", resource: "configmaps", namespace: "default" };
    expect((await cluster.explain("alice", access)).isAllowed).toBe(false);
    expect((await cluster.explain("kubernetes-admin", access)).isAllowed).toBe(false);
    const root = { name: "root", groups: ["system:masters"] };
    expect((await cluster.explain(root, access)).isAllowed).toBe(true);
  });
});

describe("while permissionRevoked is in effect", () => {
  test("reviews deny it as an authorizer does, and explain names it", async () => {
    using _fault = cluster.inject(permissionRevoked({ verb: ["get", "list"], user: "alice" }));
    expect(await canI(alice, "get", "a")).toEqual({ allowed: false, denied: true });
    expect(await canI(alice, "update", "a")).toMatchObject({ allowed: true });
    expect(await cluster.explain("alice", { verb: "get", path: "/metrics" })).toEqual({
      isAllowed: false,
      verdicts: [{ mode: "permissionRevoked", verdict: "deny", reason: "" }],
      text: 'User "alice" cannot get path "/metrics"\n  permissionRevoked: denied',
    });
    await expect(alice.list("v1", "ConfigMap")).rejects.toThrow(/forbidden/);
  });

  test("it ends for reviews as for requests", async () => {
    const fault = cluster.inject(permissionRevoked({ user: "alice", verb: "list" }));
    expect(await canI(alice, "list")).toMatchObject({ allowed: false });
    await expect(alice.list("v1", "ConfigMap", { namespace: "default" })).rejects.toThrow(refusedList);
    expect(await canI(alice, "list")).toMatchObject({ allowed: true });
    expect(fault.hits).toBe(1);
  });

  test("the requests that it passes first are still allowed", async () => {
    cluster.inject(permissionRevoked({ user: "alice", verb: "list", nth: 2 }));
    expect(await canI(alice, "list")).toMatchObject({ allowed: true });
    await alice.list("v1", "ConfigMap");
    expect(await canI(alice, "list")).toMatchObject({ allowed: false });
    await expect(alice.list("v1", "ConfigMap")).rejects.toThrow(/forbidden/);
  });

  test("an apply that creates needs the permission to create", async () => {
    using _fault = cluster.inject(permissionRevoked({ verb: "create", resource: "configmaps" }));
    await expect(alice.apply(configMap("new"))).rejects.toThrow(
      'configmaps "new" is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
    );
    await cluster.apply(configMap("new"));
    await alice.apply(configMap("new"));
    await expect(alice.create(configMap("newer"))).rejects.toThrow(/forbidden/);
  });

  test("the cluster's own methods do what they did", async () => {
    using fault = cluster.inject(permissionRevoked());
    await cluster.apply(configMap("own"));
    await cluster.list("v1", "ConfigMap");
    expect(fault.hits).toBe(0);
    await expect(alice.list("v1", "ConfigMap")).rejects.toThrow(/forbidden/);
  });
});
