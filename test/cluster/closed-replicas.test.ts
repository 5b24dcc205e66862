import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

/** The hosts of the servers whose Leases are there. */
async function hosts(cluster: Cluster): Promise<readonly unknown[]> {
  const { items } = await cluster.list("coordination.k8s.io/v1", "Lease", { namespace: "kube-system" });
  return items.map(({ metadata }) => metadata.labels?.["kubernetes.io/hostname"]).toSorted();
}

async function pass(cluster: Cluster, duration: string): Promise<void> {
  await cluster.clock.advance(duration);
  await cluster.settle();
}

test.each(["1.26", "1.27", "1.36"])(
  "in %s, the Lease of a server that closed stays until it has expired and is collected",
  async (release) => {
    await using cluster = createCluster({ release, seed: 1 });
    const replica = await cluster.replica();
    expect(await hosts(cluster)).toEqual(["vm", "vm-2"]);
    await pass(cluster, "90m");
    expect(await hosts(cluster)).toEqual(["vm", "vm-2"]);
    await pass(cluster, "5s");
    await replica.close();
    await replica.close();
    const { items } = await cluster.list("coordination.k8s.io/v1", "Lease", { namespace: "kube-system" });
    const closed = items.find(({ metadata }) => metadata.labels?.["kubernetes.io/hostname"] === "vm-2");
    expect(closed).toMatchObject({
      spec: { renewTime: "2026-01-01T01:30:00.000000Z", leaseDurationSeconds: 3600 },
    });
    // It expires after two and a half hours; the collector looks every hour.
    await pass(cluster, "89m");
    expect(await hosts(cluster)).toEqual(["vm", "vm-2"]);
    await pass(cluster, "2m");
    expect(await hosts(cluster)).toEqual(["vm"]);
  },
);

test("a Lease that looks like that of a server and has no time is collected, others are not", async () => {
  await using cluster = createCluster({ seed: 1 });
  const create = (name: string, labels: { [label: string]: string }) =>
    cluster.create({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name, namespace: "kube-system", labels },
    });
  await create("stray", { "apiserver.kubernetes.io/identity": "kube-apiserver" });
  await create("other", {});
  await pass(cluster, "61m");
  const { items } = await cluster.list("coordination.k8s.io/v1", "Lease", { namespace: "kube-system" });
  const names = items.map(({ metadata }) => metadata.name);
  expect(names).toContain("other");
  expect(names).not.toContain("stray");
});

test("an upgrade that changes the name of the Lease leaves the old one for the collector", async () => {
  await using cluster = createCluster({ release: "1.26", seed: 1 });
  await cluster.upgrade("1.27");
  expect(await hosts(cluster)).toEqual(["vm", "vm"]);
  await pass(cluster, "121m");
  expect(await hosts(cluster)).toEqual(["vm"]);
});

test("storage versions lose what a closed server stores, and those of no server are deleted", async () => {
  const apiVersion = "internal.apiserver.k8s.io/v1alpha1";
  await using cluster = createCluster({
    release: "1.32",
    featureGates: { StorageVersionAPI: true },
    runtimeConfig: { [apiVersion]: true },
    seed: 1,
  });
  const replica = await cluster.replica({ release: "1.31" });
  const serversOf = async (name: string): Promise<number> => {
    const { status } = await cluster.get<{
      apiVersion: string;
      kind: string;
      metadata: object;
      status: { storageVersions: object[] };
    }>(apiVersion, "StorageVersion", name);
    return status.storageVersions.length;
  };
  expect(await serversOf("core.pods")).toBe(2);
  await replica.close();
  await pass(cluster, "59m");
  expect(await serversOf("core.pods")).toBe(2);
  await pass(cluster, "2h");
  expect(await serversOf("core.pods")).toBe(1);
  const created = await cluster.create({
    apiVersion,
    kind: "StorageVersion",
    metadata: { name: "a.b" },
    spec: {},
  });
  const gone = {
    apiServerID: "gone",
    encodingVersion: "v1",
    decodableVersions: ["v1"],
    servedVersions: ["v1"],
  };
  await cluster.update(
    { ...created, status: { storageVersions: [gone], commonEncodingVersion: "v1" } },
    { subresource: "status" },
  );
  await cluster.settle();
  await expect(cluster.get(apiVersion, "StorageVersion", "a.b")).rejects.toMatchObject({
    status: { code: 404 },
  });
});
