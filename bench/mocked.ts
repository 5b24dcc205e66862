import { type Cluster, createCluster, type JsonObject } from "../src/index.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { pod } from "./pod.ts";

/** Where clients know the cluster. */
export const ours = "http://cluster.test";
/** Where clients know the mocks that a test would otherwise write by hand. */
export const mocks = "http://mocks.test";

/** The paths that both answer. */
export const paths = {
  settings: "/api/v1/namespaces/default/configmaps/settings",
  pods: "/api/v1/namespaces/default/pods",
} as const;

/** As many pods as a page of a dashboard shows. */
const size = 200;

/** How much more CPU the same requests cost, client included, with a cluster than with hand-written mocks of its objects. */
export function compared(
  what: string,
  atMost: number,
  use: (measure: () => Promise<number>) => Promise<number>,
  work: (url: string) => Promise<unknown>,
): Benchmark {
  const ratio = () =>
    cpuRatio(
      () => work(mocks),
      () => work(ours),
    );
  return {
    what,
    reference: "hand-written mocks of the same objects",
    atMost,
    unit: "x",
    measure: () => use(ratio),
  };
}

/** A cluster with a ConfigMap and pods. */
export async function filled(): Promise<Cluster> {
  const data = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key-${i}`, `value ${i}`]));
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data };
  const objects = Array.from({ length: size }, (_, i) => pod(`shop-backend-${i}`));
  const cluster = createCluster({ objects: [configMap, ...objects] });
  await cluster.settle();
  return cluster;
}

/** What the cluster answers, as the author of a mock has it: an object in memory. */
export async function answerOf(cluster: Cluster, path: string): Promise<JsonObject> {
  const response = await cluster.fetch(ours + path);
  // The cluster answers with an object.
  return (await response.json()) as JsonObject;
}
