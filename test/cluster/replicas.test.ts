import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const root = "https://cluster.test";
const level = "PriorityLevelConfiguration";
const newVersion = "flowcontrol.apiserver.k8s.io/v1";
const oldVersion = "flowcontrol.apiserver.k8s.io/v1beta3";

const manifest = (apiVersion: string, name: string) => ({
  apiVersion,
  kind: level,
  metadata: { name },
  spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
});

describe("servers of two releases over the same objects", () => {
  let cluster: Cluster;
  let replica: Cluster;
  beforeAll(async () => {
    cluster = createCluster({ release: "1.31" });
    replica = await cluster.replica({ release: "1.32" });
  });
  afterAll(() => cluster.close());

  test("have the same users, and each the API of its release", async () => {
    expect([cluster.release, replica.release]).toEqual(["1.31", "1.32"]);
    const headers = { authorization: `Bearer ${cluster.token("alice", { groups: ["system:masters"] })}` };
    const statusOf = async (server: Cluster) =>
      (await server.fetch(`${root}/apis/${oldVersion}/flowschemas`, { headers })).status;
    expect([await statusOf(cluster), await statusOf(replica)]).toEqual([200, 404]);
  });

  test("read what the other one writes, at once", async () => {
    const written = await replica.create(manifest(newVersion, "new"));
    const read = await cluster.get(oldVersion, level, "new");
    expect(read).toMatchObject({
      apiVersion: oldVersion,
      spec: { limited: { nominalConcurrencyShares: 5 } },
    });
    expect(read.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    const back = await cluster.create(manifest(oldVersion, "old"));
    expect(await replica.get(newVersion, level, "old")).toMatchObject({
      metadata: { uid: back.metadata.uid },
      spec: { limited: { nominalConcurrencyShares: 5 } },
    });
    await expect(replica.update({ ...back, apiVersion: newVersion })).resolves.toMatchObject({ kind: level });
  });

  test("show the writes of the other one in their watches", async () => {
    await using events = cluster.watch("v1", "ConfigMap", {});
    await replica.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "seen" } });
    for await (const { type, object } of events) {
      if (object.metadata.name !== "seen") continue;
      expect([type, object.apiVersion]).toEqual(["ADDED", "v1"]);
      break;
    }
  });

  test("refuse a write that is based on an old state of the other one", async () => {
    const created = await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "race" } });
    await replica.update({ ...created, data: { by: "replica" } });
    await expect(cluster.update({ ...created, data: { by: "cluster" } })).rejects.toMatchObject({
      status: { reason: "Conflict" },
    });
  });

  test("are at most one minor release apart", async () => {
    await expect(cluster.downgrade("1.30")).rejects.toThrow(
      "downgrade: a server of Kubernetes 1.30 cannot serve beside one of 1.32",
    );
    await expect(replica.upgrade("1.33")).rejects.toThrow("beside one of 1.31");
    await expect(cluster.replica({ release: "1.99" })).rejects.toThrow('release "1.99" is not supported');
    await expect(cluster.replica({ releas: "1.31" } as object)).rejects.toThrow("did you mean");
  });
});

test("a storage version lags one release, which servers of two releases show", async () => {
  await using cluster = createCluster({ release: "1.29", controllers: [] });
  const replica = await cluster.replica({ release: "1.28" });
  // 1.29 is the first release with v1. It stores v1beta3, which 1.28 reads; 1.30 stores v1, which 1.29 reads.
  const written = await cluster.create(manifest(newVersion, "a"));
  expect(written.apiVersion).toBe(newVersion);
  expect(await replica.get(oldVersion, level, "a")).toMatchObject({ spec: written["spec"] });
  await replica.upgrade("1.29");
  const { unreadable } = await replica.upgrade("1.30");
  expect(unreadable).toEqual([]);
  await replica.create(manifest(newVersion, "b"));
  expect(await cluster.get(oldVersion, level, "b")).toMatchObject({ apiVersion: oldVersion });
});

test("a rolling upgrade replaces one server after the other", async () => {
  await using cluster = createCluster({ release: "1.31" });
  const replica = await cluster.replica();
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" } });
  await replica.upgrade("1.32");
  await cluster.upgrade("1.32");
  await replica.upgrade("1.33");
  for (const server of [cluster, replica])
    expect(await server.get("v1", "ConfigMap", "kept")).toMatchObject({ metadata: { name: "kept" } });
  await cluster.close();
  await expect(replica.upgrade("1.34")).rejects.toThrow("the cluster is closed");
});
