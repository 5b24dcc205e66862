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

test("each server has a Lease of its own, and says in which version it stores", async () => {
  const published = "internal.apiserver.k8s.io/v1alpha1";
  await using cluster = createCluster({
    release: "1.29",
    featureGates: { StorageVersionAPI: true },
    runtimeConfig: { [published]: true },
  });
  const replica = await cluster.replica({ release: "1.30" });
  const name = "flowcontrol.apiserver.k8s.io.prioritylevelconfigurations";
  const stored = async () => (await cluster.get(published, "StorageVersion", name))["status"];
  const { items } = await replica.list("coordination.k8s.io/v1", "Lease", { namespace: "kube-system" });
  const [first, second] = ["vm", "vm-2"].map((host) => {
    const lease = items.find(({ metadata }) => metadata.labels?.["kubernetes.io/hostname"] === host);
    return lease?.metadata.name;
  });
  expect([first, second]).toEqual([
    expect.stringMatching(/^apiserver-[a-z2-7]{26}$/),
    expect.stringMatching(/^apiserver-[a-z2-7]{26}$/),
  ]);
  expect(await stored()).toMatchObject({
    storageVersions: [
      { apiServerID: first, encodingVersion: oldVersion },
      { apiServerID: second, encodingVersion: newVersion },
    ],
    conditions: [{ type: "AllEncodingVersionsEqual", status: "False", reason: "CommonEncodingVersionUnset" }],
  });
  await cluster.upgrade("1.30");
  expect(await stored()).toMatchObject({
    storageVersions: [
      { apiServerID: second, encodingVersion: newVersion },
      { apiServerID: first, encodingVersion: newVersion },
    ],
    commonEncodingVersion: newVersion,
    conditions: [{ status: "True" }],
  });
});

test("controllers run once, also when a further server has been upgraded", async () => {
  await using cluster = createCluster({ release: "1.31", simulate: true });
  const replica = await cluster.replica();
  await replica.upgrade("1.32");
  const template = {
    metadata: { labels: { app: "web" } },
    spec: { containers: [{ name: "web", image: "web" }] },
  };
  await replica.create({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web" },
    spec: { replicas: 3, selector: { matchLabels: { app: "web" } }, template },
  });
  const query = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web" };
  await cluster.waitFor(query, (set) => JSON.stringify(set["status"]).includes('"readyReplicas":3'));
  const { items } = await replica.list("v1", "Event");
  const created = items.filter((event) => event["reason"] === "SuccessfulCreate");
  expect(created.length).toBe(3);
  expect((await replica.list("v1", "Pod")).items.length).toBe(3);
});

test("an upgrade ends the watches of its server, and not those of the others", async () => {
  await using cluster = createCluster({ release: "1.31", controllers: [] });
  const replica = await cluster.replica({ release: "1.32" });
  const opened = async (server: Cluster) => {
    const { body } = await server.fetch(`${root}/api/v1/configmaps?watch=1`);
    if (body === null) throw new Error("the watch has no body");
    return body.pipeThrough(new TextDecoderStream()).getReader();
  };
  const [own, other] = [await opened(cluster), await opened(replica)];
  await cluster.upgrade("1.32");
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "later" } });
  let [ended, seen] = [false, ""];
  while (!ended) ended = (await own.read()).done;
  while (!seen.includes('"later"')) seen += (await other.read()).value ?? "";
  expect(ended).toBe(true);
  await other.cancel();
});

test("objects that a newer server stores in its own version are unreadable for an older one, until they are gone", async () => {
  const options = {
    featureGates: { DynamicResourceAllocation: true },
    runtimeConfig: { "api/all": true },
    controllers: [],
  };
  await using cluster = createCluster({ release: "1.31", ...options });
  const replica = await cluster.replica({ release: "1.30" });
  const spec = { devices: { requests: [{ name: "r", deviceClassName: "d" }] } };
  const claim = {
    apiVersion: "resource.k8s.io/v1alpha3",
    kind: "ResourceClaim",
    metadata: { name: "c" },
    spec,
  };
  await cluster.create(claim);
  const path = `${root}/apis/resource.k8s.io/v1alpha2/namespaces/default/resourceclaims/c`;
  const response = await replica.fetch(path);
  expect([response.status, JSON.parse(await response.text()).message]).toEqual([
    500,
    expect.stringContaining('no kind "ResourceClaim" is registered for version "resource.k8s.io/v1alpha3"'),
  ]);
  await cluster.delete("resource.k8s.io/v1alpha3", "ResourceClaim", "c");
  expect((await replica.fetch(path)).status).toBe(404);
});
