import { expect, test } from "vitest";
import { defaultHistoryBytes } from "../../src/cluster/history-limit.ts";
import { createCluster, type KubeObject } from "../../src/index.ts";

const configMaps = "https://cluster.test/api/v1/namespaces/default/configmaps";
const kilobytes = 1000;

function configMap(n: number): KubeObject {
  const data = { text: `${n}${"x".repeat(10 * kilobytes)}` };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" }, data };
}

/** A cluster with one object of 10 kB that was updated often, and its first resourceVersion. */
async function updatedCluster(historyBytes: number, updates: number) {
  const cluster = createCluster({ historyBytes, controllers: [] });
  const { metadata } = await cluster.create(configMap(0));
  for (let n = 1; n <= updates; n += 1) await cluster.update(configMap(n));
  const status = async (query: string) => (await cluster.fetch(`${configMaps}?${query}`)).status;
  const close = () => cluster.close();
  return { cluster, first: metadata.resourceVersion ?? "", status, [Symbol.asyncDispose]: close };
}

test("history keeps what fits", async () => {
  await using world = await updatedCluster(1000 * kilobytes, 50);
  expect(await world.status(`resourceVersion=${world.first}&resourceVersionMatch=Exact`)).toBe(200);
});

test("history that needs more memory than it may is compacted from its start, and clients see 410", async () => {
  await using world = await updatedCluster(100 * kilobytes, 50);
  const { cluster, first, status } = world;
  expect(await status(`resourceVersion=${first}&resourceVersionMatch=Exact`)).toBe(410);
  const watch = await cluster.fetch(`${configMaps}?watch=true&resourceVersion=${first}`);
  const event = await new Response(watch.body).text();
  expect(JSON.parse(event)).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
  const { metadata } = await cluster.get("v1", "ConfigMap", "a", { namespace: "default" });
  const recent = Number(metadata.resourceVersion) - 5;
  expect(await status(`resourceVersion=${recent}&resourceVersionMatch=Exact`)).toBe(200);
});

test("a history without any memory has only the latest state", async () => {
  await using world = await updatedCluster(0, 2);
  const { cluster, status } = world;
  const { metadata } = await cluster.get("v1", "ConfigMap", "a", { namespace: "default" });
  const latest = Number(metadata.resourceVersion);
  expect(await status(`resourceVersion=${latest}&resourceVersionMatch=Exact`)).toBe(200);
  expect(await status(`resourceVersion=${latest - 1}&resourceVersionMatch=Exact`)).toBe(410);
});

test("the default is an eighth of the heap limit", async () => {
  const { getHeapStatistics } = await import("node:v8");
  expect(defaultHistoryBytes()).toBe(Math.floor(getHeapStatistics().heap_size_limit / 8));
});
