import { describe, expect, test } from "vitest";
import { turn } from "../../src/apimachinery/clock.ts";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest } from "../../src/request/plain-request.ts";
import { isStreamed } from "../../src/request/response-stream.ts";
import { closeWatch, pairEvents, slice, truncate } from "../../src/scenario/presets.ts";
import { configMap } from "./manifests.ts";

const path = "/api/v1/namespaces/default/configmaps?watch=true";
function quietCluster(options: ClusterOptions = {}): Cluster {
  return createCluster({ controllers: [], ...options });
}

/** The answer of `cluster.handler`, whose body the caller reads. */
async function asked(cluster: Cluster, query = "", client = new AbortController()): Promise<ApiResponse> {
  const headers = new Map([["authorization", `Bearer ${cluster.adminToken()}`]]);
  const request = plainRequest({ method: "GET", target: path + query, headers, signal: client.signal });
  return cluster.handler(request, inProcessPeer);
}

function streamOf({ body }: ApiResponse): AsyncIterator<Uint8Array> {
  if (!isStreamed(body)) throw new Error("the answer is not a watch");
  return body[Symbol.asyncIterator]();
}

/** The next events, in short: `ADDED a`; `end` if there are fewer. */
async function next(stream: AsyncIterator<Uint8Array>, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const { done, value } = await stream.next();
    if (done === true) return [...seen, "end"];
    for (const line of new TextDecoder().decode(value).trim().split("\n")) {
      const { type, object } = JSON.parse(line);
      seen.push(`${type} ${object.metadata.name ?? object.code}`);
    }
  }
  return seen;
}

async function createAndDelete(cluster: Cluster, name: string): Promise<void> {
  await cluster.create(configMap(name));
  await cluster.patch("v1", "ConfigMap", name, { data: { color: "blue" } });
  await cluster.delete("v1", "ConfigMap", name);
}

const wholeLife = (name: string) => [`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`];

describe("a watch whose body is read late", () => {
  test.each([
    ["cluster.handler", async (cluster: Cluster) => streamOf(await asked(cluster))],
    [
      "cluster.fetch",
      async (cluster: Cluster) => {
        const answer = await cluster.fetch(`https://cluster.test${path}`);
        // Only browsers lack the iterator of a stream.
        return (answer.body as ReadableStream<Uint8Array>)[Symbol.asyncIterator]();
      },
    ],
  ])("misses no event: %s", async (_title, open) => {
    await using cluster = quietCluster({ anonymousAuth: true, authorizationMode: "AlwaysAllow" });
    await cluster.create(configMap("a"));
    const stream = await open(cluster);
    await createAndDelete(cluster, "b");
    expect(await next(stream, 4)).toEqual(["ADDED a", ...wholeLife("b")]);
    await stream.return?.();
  });

  test("misses no event while it waits for its initial state", async () => {
    await using cluster = quietCluster();
    const { metadata } = await cluster.list("v1", "ConfigMap");
    const future = Number(metadata["resourceVersion"]) + 1;
    const query = `&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${future}`;
    const stream = streamOf(await asked(cluster, query));
    await cluster.create(configMap("a"));
    await turn();
    await createAndDelete(cluster, "b");
    expect(await next(stream, 4)).toEqual(["ADDED a", ...wholeLife("b")]);
    await stream.return?.();
  });

  test("has its events even after its timeout", async () => {
    const clock = new VirtualClock("2026-11-20T00:00:00Z");
    await using cluster = quietCluster({ clock });
    const stream = streamOf(await asked(cluster, "&timeoutSeconds=5"));
    await createAndDelete(cluster, "a");
    await clock.advance("6s");
    expect(cluster.watches.open).toEqual([]);
    await cluster.create(configMap("late"));
    expect(await next(stream, 4)).toEqual([...wholeLife("a"), "end"]);
  });

  test("learns why it could not be opened", async () => {
    await using cluster = quietCluster();
    const { metadata } = await cluster.list("v1", "ConfigMap");
    await createAndDelete(cluster, "a");
    cluster.compact();
    const stream = streamOf(await asked(cluster, `&resourceVersion=${metadata["resourceVersion"]}`));
    expect(cluster.watches.open).toEqual([]);
    expect(await next(stream, 2)).toEqual(["ERROR 410", "end"]);
  });

  test("is cut off when too many events wait for it", async () => {
    const watchCapacity = 20;
    await using cluster = quietCluster({ watchCapacity });
    await cluster.create(configMap("a"));
    const stream = streamOf(await asked(cluster));
    const patched = (count: number) =>
      cluster.patch("v1", "ConfigMap", "a", { data: { count: String(count) } });
    for (let count = 0; count < watchCapacity; count += 1) await patched(count);
    expect(cluster.watches.open).toHaveLength(1);
    await patched(watchCapacity);
    await turn();
    expect(cluster.watches.open).toEqual([]);
    expect(await next(stream, 2)).toEqual(["ADDED a", "end"]);
  });
});

describe("a watch whose body is never read", () => {
  test.each([
    ["is discarded", async (stream: AsyncIterator<Uint8Array>) => void (await stream.return?.())],
    ["loses its client", async (_stream: unknown, client: AbortController) => client.abort()],
  ])("closes when it %s", async (_title, leave) => {
    await using cluster = quietCluster();
    const client = new AbortController();
    const stream = streamOf(await asked(cluster, "", client));
    expect(cluster.watches.open).toHaveLength(1);
    await leave(stream, client);
    await turn();
    expect(cluster.watches.open).toEqual([]);
  });

  test.each([slice(), pairEvents(), truncate({ afterBytes: 100 }), closeWatch({ afterEvents: 1 })])(
    "closes behind a fault, which reports that it missed: $name",
    async (scenario) => {
      await using cluster = quietCluster();
      const fault = cluster.inject(scenario);
      const stream = streamOf(await asked(cluster));
      expect(cluster.watches.open).toHaveLength(1);
      await stream.return?.();
      expect(cluster.watches.open).toEqual([]);
      expect(fault.hits).toBe(0);
      fault.remove();
    },
  );

  test("closes with the cluster", async () => {
    const cluster = quietCluster();
    const stream = streamOf(await asked(cluster));
    await cluster.close();
    expect(await next(stream, 1)).toEqual(["end"]);
  });
});
