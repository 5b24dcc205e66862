import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { plainRequest } from "../../src/request/plain-request.ts";
import { ConfigMaps } from "./config-maps.ts";
import { as, json, protobuf } from "./media-types.ts";
import { OpenWatch, shortly, type WatchedEvent } from "./open-watch.ts";
import { QuietServer } from "./quiet-server.ts";
import { Random } from "./random.ts";

describe("a thousand watchers and a writer", () => {
  test("see every write once and in order, regardless of when they start", async () => {
    const server = new QuietServer();
    const maps = new ConfigMaps(server, "crowd");
    await maps.begin("a", "b", "c");
    const start = await server.revision();
    const random = new Random(4);
    const watches: { readonly watch: OpenWatch; readonly from: number }[] = [];
    const join = async (from: string) => {
      const query = `watch=1&resourceVersion=${from}`;
      watches.push({ watch: await OpenWatch.open(server, `${maps.path}?${query}`), from: Number(from) });
    };
    for (let n = 0; n < 500; n++) await join(start);
    let last = start;
    for (let round = 0; round < 100; round++) {
      last = await maps.update(["a", "b", "c"][random.below(3)] ?? "", {}, String(round));
      // Some watchers start later from an older revision, and sometimes all have time to read.
      for (let n = 0; n < 5; n++) await join(n === 0 ? start : last);
      if (random.chance(30)) await turn();
    }
    const all = (await watches[0]?.watch.events()) ?? [];
    const revisions = all.map(revisionOf);
    expect(revisions).toHaveLength(100);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    expect(revisions.at(-1)).toBe(Number(last));
    expect(watches).toHaveLength(1000);
    const asText = all.map((event) => JSON.stringify(event));
    for (const { watch, from } of watches.slice(1)) {
      const lines = Buffer.from(await watch.bytes())
        .toString()
        .split("\n")
        .slice(0, -1);
      const expected = asText.slice(revisions.findIndex((revision) => revision > from));
      expect(lines).toEqual(Number(last) > from ? expected : []);
    }
    for (const { watch } of watches) watch.leave();
  });
});

/** A watch whose bytes are read on demand. */
async function unread(server: QuietServer, target: string, accept = ""): Promise<AsyncIterator<Uint8Array>> {
  const headers = new Map([["authorization", `Bearer ${server.cluster.adminToken()}`]]);
  if (accept !== "") headers.set("accept", accept);
  const request = plainRequest({ method: "GET", target, headers });
  const { body }: ApiResponse = await server.handler(request, inProcessPeer);
  return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}

test.each([json, protobuf, as("PartialObjectMetadata")])(
  "an event is encoded once for all watchers in %s",
  async (accept) => {
    const server = new QuietServer();
    const maps = new ConfigMaps(server, "shared");
    await maps.begin("a");
    const now = await server.revision();
    const query = `watch=1&timeoutSeconds=1&resourceVersion=${now}`;
    const targets = [
      `${maps.path}?${query}`,
      `/api/v1/configmaps?${query}`,
      `${maps.path}?${query}&labelSelector=!x`,
    ];
    const watches = await Promise.all(targets.map((target) => unread(server, target, accept)));
    const reading = Promise.all(watches.map((watch) => watch.next()));
    await turn();
    await maps.update("a");
    const [first, ...others] = (await reading).map(({ value }) => value);
    expect(first).toBeInstanceOf(Uint8Array);
    for (const bytes of others) expect(bytes).toBe(first);
    for (const watch of watches) await watch.return?.();
  },
);

describe("a watcher that does not read", () => {
  const capacity = 50;

  async function rest(body: AsyncIterator<Uint8Array>): Promise<readonly WatchedEvent[]> {
    const pieces: Uint8Array[] = [];
    for (let next = await body.next(); !next.done; next = await body.next()) pieces.push(next.value);
    const lines = Buffer.concat(pieces).toString().split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  test("is closed like a watch after its timeout, and the others see every event", async () => {
    const server = new QuietServer({ watchCapacity: capacity });
    const maps = new ConfigMaps(server, "slow");
    await maps.begin("a");
    const path = `${maps.path}?watch=1`;
    const slow = await unread(server, path);
    const first = await slow.next();
    expect(Buffer.from(first.value).toString()).toMatch(/^\{"type":"ADDED"/);
    const quick = await OpenWatch.open(server, path);
    await quick.events();
    const writes = capacity + 1;
    for (let round = 0; round < writes; round++) {
      await maps.update("a", {}, String(round));
      await turn();
    }
    expect(await rest(slow)).toEqual([]);
    expect(await quick.events()).toHaveLength(writes);
    quick.leave();
  });

  test("is kept as long as its events fit into the buffer", async () => {
    const server = new QuietServer({ watchCapacity: capacity });
    const maps = new ConfigMaps(server, "slow");
    await maps.begin("a");
    const slow = await unread(server, `${maps.path}?watch=1&timeoutSeconds=10`);
    await slow.next();
    for (let round = 0; round < capacity; round++) await maps.update("a", {}, String(round));
    const reading = rest(slow);
    await turn();
    await server.pass("10s");
    expect(await reading).toHaveLength(capacity);
  });

  test("receives the initial events only as fast as it reads", async () => {
    const server = new QuietServer();
    const maps = new ConfigMaps(server, "initial");
    const names = Array.from({ length: 1200 }, (_, n) => `map-${String(n).padStart(4, "0")}`);
    await maps.begin(...names);
    const slow = await unread(server, `${maps.path}?watch=1&timeoutSeconds=1&allowWatchBookmarks=1`);
    const begin = JSON.parse(
      `[${Buffer.from((await slow.next()).value)
        .toString()
        .trim()
        .replaceAll("\n", ",")}]`,
    );
    expect(begin.length).toBeLessThan(names.length);
    const reading = rest(slow);
    await turn();
    await server.pass("1s");
    const all = shortly([...begin, ...(await reading)]);
    expect(all).toEqual([...names.map((name) => `ADDED ${name}`), expect.stringMatching(/^BOOKMARK \d+$/)]);
  });
});

function revisionOf({ object }: WatchedEvent): number {
  return Number(object.metadata.resourceVersion);
}
