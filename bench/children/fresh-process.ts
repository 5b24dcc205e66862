import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { Cluster } from "../../src/index.ts";
import { pod } from "../pod.ts";

/** What a fresh process does with the built package; prints the milliseconds of CPU time that it took, its start included. */
const [work = ""] = process.argv.slice(2);
const pods = "/api/v1/namespaces/default/pods";
const tests = 20;

async function createCluster(objects: readonly JsonObject[] = []): Promise<Cluster> {
  const built: typeof import("../../src/index.ts") = await import(
    pathToFileURL(resolve("dist/index.js")).href
  );
  return built.createCluster({ objects });
}

/** No two of these pods have the same image and the same environment. */
function unlike(index: number): JsonObject {
  const text = JSON.stringify(pod(`shop-${index}`));
  return JSON.parse(text.replace("1.42.0", `1.42.${index}`).replace("info", `level-${index}`));
}

function ask(
  cluster: Cluster,
  method: string,
  path: string,
  body?: JsonObject,
  contentType = "application/json",
): Promise<Response> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}`, "content-type": contentType };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return cluster.fetch(`https://cluster.test${path}`, { method, headers, ...sent });
}

async function answer(...parts: Parameters<typeof ask>): Promise<string> {
  const response = await ask(...parts);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function creates(count: number): Promise<void> {
  const cluster = await createCluster();
  await cluster.settle();
  for (let index = 0; index < count; index++) await answer(cluster, "POST", pods, unlike(index));
}

/** A test: it lists and watches, makes five writes, and waits for their events. */
async function test(cluster: Cluster): Promise<void> {
  await cluster.settle();
  const { metadata } = JSON.parse(await answer(cluster, "GET", pods));
  const watch = await ask(cluster, "GET", `${pods}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  const path = `${pods}/shop-100`;
  await answer(cluster, "POST", pods, unlike(100));
  const labels = { a: "b" };
  await answer(cluster, "PATCH", path, { metadata: { labels } }, "application/merge-patch+json");
  const read = JSON.parse(await answer(cluster, "GET", path));
  await answer(cluster, "PUT", path, { ...read, metadata: { ...read.metadata, labels: { c: "d" } } });
  const applied = { apiVersion: "v1", kind: "Pod", metadata: { name: "shop-100", labels } };
  const target = `${path}?fieldManager=bench&force=true`;
  await answer(cluster, "PATCH", target, applied, "application/apply-patch+yaml");
  await answer(cluster, "DELETE", `${path}?gracePeriodSeconds=0`);
  await readLines(watch, 5);
  await cluster.close();
}

async function readLines(response: Response, count: number): Promise<void> {
  let lines = 0;
  for await (const piece of response.body ?? []) {
    lines += new TextDecoder().decode(piece).split("\n").length - 1;
    if (lines >= count) return;
  }
}

const initial = Array.from({ length: 50 }, (_, index) => unlike(index)).map((object) => ({
  ...object,
  metadata: { ...(object["metadata"] as JsonObject), namespace: "default" },
}));

const works: Readonly<Record<string, () => Promise<void>>> = {
  parsing: async () => {
    for (let index = 0; index < 2000; index++) JSON.stringify(JSON.parse(JSON.stringify(unlike(index))));
  },
  "first create": () => creates(1),
  "2,000 creates": () => creates(2000),
  "tests with forks": async () => {
    const cluster = await createCluster(initial);
    for (let index = 0; index < tests; index++) await test(cluster.fork());
  },
  "tests with clusters": async () => {
    for (let index = 0; index < tests; index++) await test(await createCluster(initial));
  },
};

await works[work]?.();
const { user, system } = process.cpuUsage();
console.log((user + system) / 1000);
process.exit(0);
