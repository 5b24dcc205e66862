import { once } from "node:events";
import http2 from "node:http2";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { type Cluster, createCluster, type KubeObject } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

/** What stays in the heap after work that should leave little. */
export interface HeapFigure {
  readonly what: string;
  /** The most memory that the work may leave, in megabytes. */
  readonly atMost: number;
  /** Does the work. The result is kept while the heap is measured. */
  readonly work: (scale: number) => Promise<unknown>;
}

const megabyte = 1024 * 1024;
const historyBytes = 64 * megabyte;

function configMap(name: string, text: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { text } };
}

/** A cluster with a small history, after its work. */
async function withCluster(work: (cluster: Cluster) => Promise<unknown>): Promise<Cluster> {
  const cluster = createCluster({ historyBytes });
  await work(cluster);
  return cluster;
}

const streamsOfConnection = 100;

/** A connection whose streams ask for a list and do not read it; it leaves in the given way. */
async function slowStreams(
  cluster: Cluster,
  serving: Serving,
  leave: (session: http2.ClientHttp2Session, streams: readonly http2.ClientHttp2Stream[]) => void,
): Promise<() => void> {
  const session = http2.connect(serving.url, { ca: serving.caCertificate ?? "" }).on("error", () => {});
  const headers = { ":path": "/api/v1/configmaps", authorization: `Bearer ${cluster.adminToken()}` };
  const streams = Array.from({ length: streamsOfConnection }, () =>
    session.request(headers).on("error", () => {}),
  );
  await Promise.all(streams.map((stream) => once(stream, "response")));
  return () => leave(session, streams);
}

/** Streams are reset with an error or without one, or their connection closes. */
const leavings = [
  (_session: http2.ClientHttp2Session, streams: readonly http2.ClientHttp2Stream[]): void => {
    for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
  },
  (_session: http2.ClientHttp2Session, streams: readonly http2.ClientHttp2Stream[]): void => {
    for (const stream of streams) stream.close(http2.constants.NGHTTP2_NO_ERROR);
  },
  (session: http2.ClientHttp2Session): void => session.destroy(),
];

/** The figures. `scale` is the share of the numbers that they name. */
export const heapFigures: readonly HeapFigure[] = [
  {
    what: "200,000 updates of an object of 10 kB",
    atMost: 200,
    work: (scale) =>
      withCluster(async (cluster) => {
        await cluster.create(configMap("a", ""));
        for (let n = 0; n < 200_000 * scale; n += 1) {
          await cluster.update(configMap("a", `${n}${"x".repeat(10_000)}`));
        }
      }),
  },
  {
    what: "200,000 updates of an object of 10 kB that a client watches",
    atMost: 200,
    work: (scale) =>
      withCluster(async (cluster) => {
        await cluster.create(configMap("a", ""));
        const answer = await cluster.fetch("https://cluster.test/api/v1/configmaps?watch=true");
        const reading = answer.body?.pipeTo(new WritableStream()).catch(() => {});
        for (let n = 0; n < 200_000 * scale; n += 1) {
          await cluster.update(configMap("a", `${n}${"x".repeat(10_000)}`));
          if (n % 100 === 0) await turn();
        }
        await cluster.close();
        await reading;
      }),
  },
  {
    what: "1,000,000 creates and deletes",
    atMost: 200,
    work: (scale) =>
      withCluster(async (cluster) => {
        for (let n = 0; n < 1_000_000 * scale; n += 1) {
          await cluster.create(configMap(`a-${n}`, "text"));
          await cluster.delete("v1", "ConfigMap", `a-${n}`, { namespace: "default" });
        }
      }),
  },
  {
    what: "100,000 refused requests whose target has 10 kB",
    atMost: 100,
    work: (scale) =>
      withCluster(async (cluster) => {
        for (let n = 0; n < 100_000 * scale; n += 1) {
          const target = `/api/v1/namespaces/default/configmaps/${n}${"x".repeat(10_000)}`;
          await (await cluster.fetch(`https://cluster.test${target}`)).text();
        }
      }),
  },
  {
    what: "1,200 slow streams of a list of 2 MB, given up while they are sent",
    atMost: 50,
    work: (scale) =>
      withCluster(async (cluster) => {
        for (let n = 0; n < 200; n += 1) await cluster.create(configMap(`a-${n}`, "x".repeat(10_000)));
        const serving = await serve(cluster);
        const leave: (() => void)[] = [];
        for (let n = 0; n < Math.max(3, (1200 / streamsOfConnection) * scale); n += 1) {
          const leaving = leavings[n % leavings.length];
          if (leaving !== undefined) leave.push(await slowStreams(cluster, serving, leaving));
        }
        for (const one of leave) one();
        // A port looks every half second for streams that are reset without an error.
        await pause(2000);
      }),
  },
  {
    what: "2,000 clusters, made, used and closed",
    atMost: 50,
    work: async (scale) => {
      for (let n = 0; n < 2000 * scale; n += 1) {
        const cluster = createCluster();
        await cluster.create(configMap("a", "text"));
        await cluster.close();
      }
    },
  },
  {
    what: "5,000 forks, made, used and closed",
    atMost: 50,
    work: (scale) =>
      withCluster(async (cluster) => {
        for (let n = 0; n < 5000 * scale; n += 1) {
          const fork = cluster.fork();
          await fork.create(configMap("a", "text"));
          await fork.close();
        }
      }),
  },
];

/** Megabytes that the work leaves in the heap. Needs `--expose-gc`. */
export async function heapAfter({ work }: HeapFigure, scale: number): Promise<number> {
  // The first use of a cluster loads the server, which stays.
  await work(0.0005);
  const before = settledHeap();
  const kept = await work(scale);
  const left = settledHeap() - before;
  // Uses the result after the measurement, so that it is not collected before.
  if (kept === heapFigures) throw new Error("the work has no result");
  return left / megabyte;
}

/** The heap after collection, with the memory of buffers, in bytes. */
function settledHeap(): number {
  for (let i = 0; i < 4; i += 1) globalThis.gc?.();
  return getHeapStatistics().used_heap_size + process.memoryUsage().arrayBuffers;
}
