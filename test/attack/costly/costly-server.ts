import { type Cluster, type ClusterOptions, createCluster } from "../../../src/index.ts";
import type { ApiRequest } from "../../../src/request/handler.ts";
import { inProcessPeer } from "../../../src/request/peer.ts";
import { readResponseBody } from "../../../src/request/plain-request.ts";
import type { CostlyRequest, SizedRequest } from "./costly-request.ts";

/** What a costly request has met. */
export interface CostlyAnswer {
  readonly status: number;
  /** The size of the answer; 0 for a stream. */
  readonly bytes: number;
}

const shared: ClusterOptions = {
  seed: 1,
  controllers: [],
  featureGates: { CBORServingAndStorage: true },
  // Pods of a namespace need one.
  objects: [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
  ],
};

/** A cluster that answers costly requests, each in a state of its own. */
export class CostlyServer {
  readonly #cluster: Cluster = createCluster(shared);

  async close(): Promise<void> {
    await this.#cluster.close();
  }

  /** Prepares the request, and returns a function that sends it, once. */
  async prepared(costly: CostlyRequest, size: number): Promise<() => Promise<CostlyAnswer>> {
    const options = costly.options?.(size);
    const fork = options === undefined ? this.#cluster.fork() : createCluster({ ...shared, ...options });
    for (const request of costly.before?.(size) ?? []) {
      const { status, bytes } = await answerOf(fork, request);
      if (status >= 300)
        throw new Error(`${costly.name}: its preparation has status ${status}, ${bytes} bytes`);
    }
    const request = costly.request(size);
    return async () => {
      try {
        return await answerOf(fork, request);
      } finally {
        await fork.close();
      }
    };
  }
}

async function answerOf(cluster: Cluster, sized: SizedRequest): Promise<CostlyAnswer> {
  const client = new AbortController();
  const { status, body } = await cluster.handler(requestOf(cluster, sized, client.signal), inProcessPeer);
  if (body !== undefined && Symbol.asyncIterator in body) {
    client.abort();
    return { status, bytes: 0 };
  }
  return { status, bytes: (await readResponseBody(body)).length };
}

/** A request of the administrator, unless it has a credential. */
function requestOf(
  cluster: Cluster,
  { method, target, headers = [], body = "" }: SizedRequest,
  signal: AbortSignal,
): ApiRequest {
  const values = new Map([["authorization", [`Bearer ${cluster.adminToken()}`]]]);
  const given = new Set<string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (given.has(key)) values.get(key)?.push(value);
    else values.set(key, [value]);
    given.add(key);
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const getAll = (name: string) => values.get(name.toLowerCase()) ?? [];
  const startingWith = (prefix: string) =>
    [...values].flatMap(([name, all]) =>
      name.startsWith(prefix) ? all.map((value) => [name, value] as const) : [],
    );
  const lookup = { get: (name: string) => getAll(name)[0], getAll, startingWith };
  return { method, target, headers: lookup, body: async () => bytes, signal };
}
