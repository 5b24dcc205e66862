import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { conflict } from "../../src/scenario/presets.ts";
import { configMap, deployment, names, refusalOf } from "./manifests.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = createCluster({ controllers: [] });
});

describe("load", () => {
  test("expands lists and creates namespaces first", async () => {
    const inside = configMap("a", { metadata: { name: "a", namespace: "new" } });
    const listed = { metadata: { name: "b", namespace: "new" }, data: { c: "d" } };
    await cluster.load([
      { apiVersion: "v1", kind: "List", items: [inside] },
      { apiVersion: "v1", kind: "ConfigMapList", items: [listed] },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } },
    ]);
    const { items } = await cluster.list("v1", "ConfigMap", { namespace: "new" });
    expect(items.map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ["a", undefined],
      ["b", { c: "d" }],
    ]);
  });

  test("replaces existing objects, regardless of the resourceVersion in the manifest", async () => {
    const read = await cluster.create(configMap("a", { data: { b: "c" } }));
    const { metadata } = await cluster.update({ ...read, data: { b: "d" } });
    await cluster.load([{ ...read, data: { e: "f" }, metadata: { ...read.metadata, uid: "other" } }]);
    const loaded = await cluster.get("v1", "ConfigMap", "a");
    expect(loaded["data"]).toEqual({ e: "f" });
    expect(loaded.metadata.uid).toBe(metadata.uid);
  });

  test("changes nothing the second time, including kinds that require a resourceVersion for updates", async () => {
    const apiVersion = "policy/v1";
    const spec = { minAvailable: 1, selector: { matchLabels: { app: "web" } } };
    const budget = { apiVersion, kind: "PodDisruptionBudget", metadata: { name: "web" }, spec };
    const manifests = [budget, deployment("web"), configMap("a", { data: { b: "c" } })];
    await cluster.load(manifests);
    const first = await cluster.list(apiVersion, "PodDisruptionBudget");
    await cluster.load(manifests);
    expect(await cluster.list(apiVersion, "PodDisruptionBudget")).toEqual(first);
    await cluster.load([{ ...budget, spec: { ...spec, minAvailable: 2 } }]);
    const { items } = await cluster.list(apiVersion, "PodDisruptionBudget");
    expect(items[0]).toMatchObject({ spec: { minAvailable: 2 } });
  });

  test("stops at the first refused object", async () => {
    const loading = cluster.load([configMap("a"), configMap("NO"), configMap("b")]);
    expect((await refusalOf(loading)).status.reason).toBe("Invalid");
    expect(await names(cluster, "ConfigMap")).toEqual(["a"]);
  });

  test.each([
    [4, "d"],
    [5, undefined],
  ])("retries if other clients write at the same time, %i times in a row", async (times, loaded) => {
    await cluster.create(configMap("a", { data: { b: "c" } }));
    using _fault = cluster.inject(conflict({ resource: "configmaps", verb: "update", times }));
    const alice = cluster.as("alice", { groups: ["system:masters"] });
    const loading = alice.load([configMap("a", { data: { b: "d" } })]);
    if (loaded === undefined) expect((await refusalOf(loading)).status.reason).toBe("Conflict");
    await loading.catch(() => {});
    expect((await cluster.get("v1", "ConfigMap", "a"))["data"]).toEqual({ b: loaded ?? "c" });
  });
});
