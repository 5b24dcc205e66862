import { describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

async function configMap(cluster: Cluster, name: string, owners: readonly object[] = [], extra: object = {}) {
  const metadata = { name, namespace: "default", ownerReferences: owners as never, ...extra };
  const made = await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: made.metadata.uid ?? "" };
}

async function names(cluster: Cluster): Promise<readonly string[]> {
  const { items } = await cluster.list("v1", "ConfigMap", { namespace: "default" });
  return items.map(({ metadata }) => metadata.name ?? "").filter((name) => name !== "kube-root-ca.crt");
}

describe("the garbage collector", () => {
  test("deletes an object when its owner is gone", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    const middle = await configMap(cluster, "middle", [owner]);
    await configMap(cluster, "leaf", [middle]);
    await configMap(cluster, "stranger");
    await cluster.delete("v1", "ConfigMap", "owner");
    await cluster.settle();
    expect(await names(cluster)).toEqual(["stranger"]);
  });

  test("keeps an object that has another owner, and removes the reference to the deleted one", async () => {
    await using cluster = createCluster();
    const [first, second] = [await configMap(cluster, "first"), await configMap(cluster, "second")];
    await configMap(cluster, "shared", [first, second]);
    await cluster.delete("v1", "ConfigMap", "first");
    await cluster.settle();
    const shared = await cluster.get("v1", "ConfigMap", "shared");
    expect(shared.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["second"]);
  });

  test("deletes blocking dependents before an owner with foreground deletion", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "held", [{ ...owner, blockOwnerDeletion: true }], {
      finalizers: ["example.com/a"],
    });
    await cluster.delete("v1", "ConfigMap", "owner", { propagationPolicy: "Foreground" });
    await cluster.settle();
    expect(await names(cluster)).toEqual(["held", "owner"]);
    await cluster.patch("v1", "ConfigMap", "held", { metadata: { finalizers: null } });
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
  });

  test("removes the owner reference from orphans", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "orphan", [owner]);
    await cluster.delete("v1", "ConfigMap", "owner", { propagationPolicy: "Orphan" });
    await cluster.settle();
    expect(await names(cluster)).toEqual(["orphan"]);
    expect((await cluster.get("v1", "ConfigMap", "orphan")).metadata.ownerReferences).toBeUndefined();
  });

  test("deletes an object whose owner never existed", async () => {
    await using cluster = createCluster();
    await configMap(cluster, "lost", [
      { apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "nothing" },
    ]);
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
  });

  test("deletes an object whose owner has another uid now", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "old", [{ ...owner, uid: "another" }]);
    await cluster.settle();
    expect(await names(cluster)).toEqual(["owner"]);
  });

  test("keeps an object whose owner has an unknown kind", async () => {
    await using cluster = createCluster();
    await configMap(cluster, "kept", [{ apiVersion: "x.io/v1", kind: "X", name: "x", uid: "u" }]);
    await cluster.settle();
    expect(await names(cluster)).toEqual(["kept"]);
  });

  test("deletes the dependents of a cluster-scoped object", async () => {
    await using cluster = createCluster();
    const node = await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
    const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: node.metadata.uid };
    await configMap(cluster, "of-node", [owner]);
    await cluster.settle();
    expect(await names(cluster)).toEqual(["of-node"]);
    await cluster.delete("v1", "Node", "n");
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
  });

  test("deletes an object with an owner in another namespace, and records an Event", async () => {
    await using cluster = createCluster();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    const { metadata } = await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "owner", namespace: "other" },
    });
    await configMap(cluster, "far", [
      { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid ?? "" },
    ]);
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
    expect((await cluster.list("v1", "Event")).items).toMatchObject([
      {
        metadata: { namespace: "default", name: expect.stringMatching(/^far\.[0-9a-f]{16}$/) },
        involvedObject: { kind: "ConfigMap", namespace: "default", name: "far" },
        reason: "OwnerRefInvalidNamespace",
        message: `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${metadata.uid}] does not exist in namespace "default"`,
        source: { component: "garbage-collector-controller" },
        type: "Warning",
        count: 1,
      },
    ]);
  });

  test("keeps a cluster-scoped object with a namespaced owner, and records an Event", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    const metadata = { name: "n", ownerReferences: [owner] };
    await cluster.create({ apiVersion: "v1", kind: "Node", metadata });
    await cluster.settle();
    await cluster.delete("v1", "ConfigMap", "owner");
    await cluster.settle();
    expect((await cluster.get("v1", "Node", "n")).metadata.ownerReferences).toHaveLength(1);
    expect((await cluster.list("v1", "Event")).items).toMatchObject([
      {
        metadata: { namespace: "default" },
        reason: "OwnerRefInvalidNamespace",
        involvedObject: { name: "n" },
      },
    ]);
  });
});

describe("foreground deletion", () => {
  const held = { finalizers: ["example.com/a"] };
  const letGo = (cluster: Cluster, name: string) =>
    cluster.patch("v1", "ConfigMap", name, { metadata: { finalizers: null } });
  const inForeground = async (cluster: Cluster, name: string) => {
    await cluster.delete("v1", "ConfigMap", name, { propagationPolicy: "Foreground" });
    await cluster.settle();
  };

  test("does not wait for dependents that do not block it", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "held", [owner], held);
    await inForeground(cluster, "owner");
    expect(await names(cluster)).toEqual(["held"]);
    expect((await cluster.get("v1", "ConfigMap", "held")).metadata.deletionTimestamp).toBeDefined();
  });

  test("deletes the dependents of dependents first", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    const middle = await configMap(cluster, "middle", [{ ...owner, blockOwnerDeletion: true }]);
    await configMap(cluster, "leaf", [{ ...middle, blockOwnerDeletion: true }], held);
    await inForeground(cluster, "owner");
    expect(await names(cluster)).toEqual(["leaf", "middle", "owner"]);
    expect((await cluster.get("v1", "ConfigMap", "middle")).metadata.finalizers).toEqual([
      "foregroundDeletion",
    ]);
    await letGo(cluster, "leaf");
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
  });

  test("keeps dependents with other owners", async () => {
    await using cluster = createCluster();
    const [first, second] = [await configMap(cluster, "first"), await configMap(cluster, "second")];
    await configMap(cluster, "shared", [{ ...first, blockOwnerDeletion: true }, second]);
    await inForeground(cluster, "first");
    expect(await names(cluster)).toEqual(["second", "shared"]);
    const { ownerReferences } = (await cluster.get("v1", "ConfigMap", "shared")).metadata;
    expect(ownerReferences).toEqual([second]);
  });

  test("completes although dependents block each other", async () => {
    await using cluster = createCluster();
    const first = await configMap(cluster, "first");
    const second = await configMap(cluster, "second", [{ ...first, blockOwnerDeletion: true }]);
    const third = await configMap(cluster, "third", [{ ...second, blockOwnerDeletion: true }]);
    const ownerReferences = [{ ...third, blockOwnerDeletion: true }];
    await cluster.patch("v1", "ConfigMap", "first", { metadata: { ownerReferences } });
    await cluster.settle();
    await inForeground(cluster, "first");
    expect(await names(cluster)).toEqual([]);
  });

  test.each<[string, "Orphan" | "Background", readonly string[]]>([
    ["can be changed to orphan the dependents", "Orphan", ["held"]],
    ["can be changed to background deletion", "Background", ["held"]],
  ])("%s", async (_title, propagationPolicy, left) => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "held", [{ ...owner, blockOwnerDeletion: true }], held);
    await inForeground(cluster, "owner");
    await cluster.delete("v1", "ConfigMap", "owner", { propagationPolicy });
    await cluster.settle();
    expect(await names(cluster)).toEqual(left);
  });
});
