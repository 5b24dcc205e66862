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
  test("deletes what is owned when its owner is gone", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    const middle = await configMap(cluster, "middle", [owner]);
    await configMap(cluster, "leaf", [middle]);
    await configMap(cluster, "stranger");
    await cluster.delete("v1", "ConfigMap", "owner");
    await cluster.settle();
    expect(await names(cluster)).toEqual(["stranger"]);
  });

  test("keeps what has another owner, and takes the name of the gone one away", async () => {
    await using cluster = createCluster();
    const [first, second] = [await configMap(cluster, "first"), await configMap(cluster, "second")];
    await configMap(cluster, "shared", [first, second]);
    await cluster.delete("v1", "ConfigMap", "first");
    await cluster.settle();
    const shared = await cluster.get("v1", "ConfigMap", "shared");
    expect(shared.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["second"]);
  });

  test("deletes blocking dependents before an owner that is deleted in the foreground", async () => {
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

  test("leaves orphans without the name of their owner", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "orphan", [owner]);
    await cluster.delete("v1", "ConfigMap", "owner", { propagationPolicy: "Orphan" });
    await cluster.settle();
    expect(await names(cluster)).toEqual(["orphan"]);
    expect((await cluster.get("v1", "ConfigMap", "orphan")).metadata.ownerReferences).toBeUndefined();
  });

  test("deletes what names an owner that never was", async () => {
    await using cluster = createCluster();
    await configMap(cluster, "lost", [
      { apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "nothing" },
    ]);
    await cluster.settle();
    expect(await names(cluster)).toEqual([]);
  });

  test("deletes what names an owner that has another uid by now", async () => {
    await using cluster = createCluster();
    const owner = await configMap(cluster, "owner");
    await configMap(cluster, "old", [{ ...owner, uid: "another" }]);
    await cluster.settle();
    expect(await names(cluster)).toEqual(["owner"]);
  });

  test("keeps what names an owner of a kind that there is not", async () => {
    await using cluster = createCluster();
    await configMap(cluster, "kept", [{ apiVersion: "x.io/v1", kind: "X", name: "x", uid: "u" }]);
    await cluster.settle();
    expect(await names(cluster)).toEqual(["kept"]);
  });

  test("deletes what is owned by a cluster-wide object when that is gone", async () => {
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

  test("deletes what names an owner of another namespace, and says so", async () => {
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

  test("keeps what is of the whole cluster and names an owner of a namespace, and says so", async () => {
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

describe("a deletion in the foreground", () => {
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

  test("goes through the dependents of dependents first", async () => {
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

  test("leaves to other owners what they own as well", async () => {
    await using cluster = createCluster();
    const [first, second] = [await configMap(cluster, "first"), await configMap(cluster, "second")];
    await configMap(cluster, "shared", [{ ...first, blockOwnerDeletion: true }, second]);
    await inForeground(cluster, "first");
    expect(await names(cluster)).toEqual(["second", "shared"]);
    const { ownerReferences } = (await cluster.get("v1", "ConfigMap", "shared")).metadata;
    expect(ownerReferences).toEqual([second]);
  });

  test("ends although its dependents block each other", async () => {
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
    ["can still become one that leaves orphans", "Orphan", ["held"]],
    ["can still become one in the background", "Background", ["held"]],
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
