import type { KubeObject } from "../src/apimachinery/object-meta.ts";
import { createCluster } from "../src/index.ts";
import { type Benchmark, cpuRatio, milliseconds } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

const objects = 100_000;
const watchers = 5000;
const configMaps = "/api/v1/namespaces/default/configmaps";
const encoder = new TextEncoder();

/** What a request costs in a large cluster, and beside many watchers. */
export const benchmarks: readonly Benchmark[] = [
  {
    what: "first response of a fork of 100,000 objects",
    reference: "",
    atMost: 2,
    unit: "ms",
    measure: async () => {
      const { cluster } = await large();
      return milliseconds(() => new InProcess(cluster.fork()).ask("GET", `${configMaps}/c7`), 50);
    },
  },
  {
    what: "first response after restore() of 100,000 objects",
    reference: "",
    atMost: 2,
    unit: "ms",
    measure: async () => {
      const inProcess = await large();
      const snapshot = inProcess.cluster.snapshot();
      return milliseconds(() => {
        inProcess.cluster.restore(snapshot);
        return inProcess.ask("GET", `${configMaps}/c7`);
      }, 50);
    },
  },
  {
    what: "list by metadata.name in all namespaces of 100,000 objects",
    reference: "the list by a label that no object has",
    atMost: 1,
    unit: "x",
    measure: async () => {
      const inProcess = await large();
      let count = 0;
      // Other selectors each time: what a list has found out is remembered by its selector.
      return cpuRatio(
        () => inProcess.ask("GET", `/api/v1/configmaps?labelSelector=app%3Dweb-${count++}`),
        () => inProcess.ask("GET", `/api/v1/configmaps?fieldSelector=metadata.name%3Dc${count++}`),
        5,
      );
    },
  },
  {
    what: "list by a label again out of 100,000 objects",
    reference: "a loop over 100,000 objects with the same test",
    atMost: 1,
    unit: "x",
    measure: async () => {
      const inProcess = await large();
      const all = Array.from({ length: objects }, (_, index) => ({ labels: { app: `a${index % 9}` } }));
      return cpuRatio(
        () => all.filter(({ labels }) => labels.app === "none"),
        () => inProcess.ask("GET", "/api/v1/configmaps?labelSelector=app%3Dnone"),
      );
    },
  },
  {
    what: "create beside 5,000 watchers with other selectors",
    reference: "the create without them",
    atMost: 1.2,
    unit: "x",
    measure: async () => {
      const alone = await InProcess.ready();
      const watched = await InProcess.ready();
      for (let index = 0; index < watchers; index++) await openWatch(watched, `app%3Dweb-${index}`);
      return cpuRatio(create(alone), create(watched));
    },
  },
];

async function large(): Promise<InProcess> {
  const cluster = createCluster();
  await cluster.load(Array.from({ length: objects }, (_, index) => configMap(`c${index}`)));
  await cluster.settle();
  return new InProcess(cluster);
}

function configMap(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data: { key: name },
  };
}

function create(inProcess: InProcess): () => Promise<unknown> {
  let count = 0;
  return () =>
    inProcess.ask("POST", configMaps, encoder.encode(JSON.stringify(configMap(`created-${count++}`))));
}

/** Opens a watch and waits for its events. */
async function openWatch(inProcess: InProcess, selector: string): Promise<void> {
  const { body } = await inProcess.ask("GET", `${configMaps}?watch=1&labelSelector=${selector}`);
  if (body === undefined || !(Symbol.asyncIterator in Object(body))) throw new Error("expected a stream");
  // The iterator of the stream waits; the process ends without it.
  void (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next();
}
