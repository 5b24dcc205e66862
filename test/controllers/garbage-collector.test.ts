import { describe, expect, test } from "vitest";
import { type Cluster, createCluster, StatusError } from "../../src/index.ts";

async function configMap(cluster: Cluster, name: string, owners: readonly object[] = [], extra: object = {}) {
  const metadata = { name, namespace: "default", ownerReferences: owners as never, ...extra };
  const made = await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
  return { apiVersion: "v1", kind: "ConfigMap", name, uid: made.metadata.uid };
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
});

describe("the namespace controller", () => {
  test("empties a namespace and lets it go", async () => {
    await using cluster = createCluster();
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    const metadata = { name: "a", namespace: "going" };
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toBeInstanceOf(StatusError);
    await expect(cluster.get("v1", "ConfigMap", "a", { namespace: "going" })).rejects.toThrow("not found");
  });

  test("says what holds a namespace back", async () => {
    await using cluster = createCluster();
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    const metadata = { name: "a", namespace: "going", finalizers: ["example.com/a"] };
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    const { status } = await cluster.get("v1", "Namespace", "going");
    expect(status).toMatchObject({
      phase: "Terminating",
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "NamespaceFinalizersRemaining",
          status: "True",
          message:
            "Some content in the namespace has finalizers remaining: example.com/a in 1 resource instances",
        }),
      ]),
    });
    await cluster.patch("v1", "ConfigMap", "a", { metadata: { finalizers: null } }, { namespace: "going" });
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toThrow("not found");
  });
});

test("every namespace has its default ServiceAccount and the root authority, also after they are deleted", async () => {
  await using cluster = createCluster({ rootCa: "PEM" });
  await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "new" } });
  await cluster.settle();
  await cluster.delete("v1", "ServiceAccount", "default", { namespace: "new" });
  await cluster.delete("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "new" });
  await cluster.settle();
  expect(await cluster.get("v1", "ServiceAccount", "default", { namespace: "new" })).toBeDefined();
  const published = await cluster.get("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "new" });
  expect(published["data"]).toEqual({ "ca.crt": "PEM" });
});

test("a lone API server runs no controller", async () => {
  await using cluster = createCluster({ controllers: [] });
  await cluster.settle();
  await expect(cluster.get("v1", "ServiceAccount", "default")).rejects.toThrow("not found");
});
