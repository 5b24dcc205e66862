import { describe, expect, test } from "vitest";
import { type Timer, turn, VirtualClock } from "../../src/apimachinery/clock.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { ClusterCore } from "../../src/cluster/cluster-core.ts";
import { completeOptions } from "../../src/cluster/options.ts";
import { Cluster } from "../../src/index.ts";
import { labelsOf } from "../../src/registry/contract/selection-predicate.ts";
import { stampRevision } from "../../src/registry/contract/system-fields.ts";
import { Store, type WatchOptions } from "../../src/store/store.ts";
import type { WatchFeed } from "../../src/store/watch-feed.ts";
import { configMap } from "./manifests.ts";

/** A clock that counts the timers that wait. */
class CountingClock extends VirtualClock {
  waiting = 0;

  override after(milliseconds: number, callback: () => void): Timer {
    this.waiting += 1;
    let isWaiting = true;
    const leave = () => {
      if (isWaiting) this.waiting -= 1;
      isWaiting = false;
    };
    const timer = super.after(milliseconds, () => {
      leave();
      callback();
    });
    return {
      cancel: () => {
        leave();
        timer.cancel();
      },
    };
  }
}

/** A store that counts its open feeds. */
class CountingStore extends Store<KubeObject> {
  readonly #feeds: WatchFeed<KubeObject>[] = [];

  override watch(options: WatchOptions<KubeObject>): WatchFeed<KubeObject> {
    const feed = super.watch(options);
    this.#feeds.push(feed);
    return feed;
  }

  get open(): number {
    return this.#feeds.filter(({ ended }) => !ended).length;
  }
}

/** A cluster, and the number of timers and feeds that it holds. */
function countingCluster() {
  const clock = new CountingClock("2026-01-01T00:00:00Z");
  const config = completeOptions({ controllers: [], clock });
  const { historyMilliseconds, historyBytes, watchCapacity } = config;
  const store = new CountingStore({
    clock,
    historyMilliseconds,
    historyBytes,
    watchCapacity,
    stamp: stampRevision,
    labelsOf,
  });
  store.restore(new ClusterCore(config).snapshot().state);
  const cluster = new Cluster(new ClusterCore(config, { state: store }));
  return { clock, cluster, held: () => ({ timers: clock.waiting, feeds: store.open }) };
}

type Counting = ReturnType<typeof countingCluster>;

/** Opens a watch of ConfigMaps and reads from it. */
async function openWatch({ cluster }: Counting, query: string) {
  const client = new AbortController();
  const path = `/api/v1/namespaces/default/configmaps?watch=1&allowWatchBookmarks=true${query}`;
  const answer = await cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
    signal: client.signal,
  });
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error("a watch without a body");
  // The first event: from here on, the watch is open.
  const first = reader.read();
  await cluster.create(configMap(`m${Math.random().toString(36).slice(2)}`));
  await first;
  return { client, reader };
}

type Opened = Awaited<ReturnType<typeof openWatch>>;

describe("neither timers nor feeds are left of a watch", () => {
  test.each<[title: string, query: string, end: (counting: Counting, watch: Opened) => Promise<unknown>]>([
    ["whose client reads no further", "", (_counting, { reader }) => reader.cancel()],
    [
      "whose client goes away while it waits",
      "",
      async (_counting, { client, reader }) => {
        const next = reader.read().catch(() => {});
        client.abort();
        await next;
      },
    ],
    [
      "whose time is over",
      "&timeoutSeconds=300",
      async ({ clock }, { reader }) => {
        await clock.advance("301s");
        for (let piece = await reader.read(); !piece.done; piece = await reader.read());
      },
    ],
    [
      "whose cluster closes",
      "",
      async ({ cluster }, { reader }) => {
        const next = reader.read().catch(() => {});
        await cluster.close();
        await next;
      },
    ],
  ])("%s", async (_title, query, end) => {
    const counting = countingCluster();
    await counting.cluster.create(configMap("first"));
    const before = counting.held();
    const watch = await openWatch(counting, query);
    expect(counting.held().feeds).toBeGreaterThan(before.feeds);
    expect(counting.held().timers).toBeGreaterThan(before.timers);
    await end(counting, watch);
    await turn();
    const { timers, feeds } = counting.held();
    expect(timers).toBe(before.timers);
    // A cluster that closes ends feeds of its own, too.
    expect(feeds).toBeLessThanOrEqual(before.feeds);
    await counting.cluster.close();
  });

  test("that starts at a revision that is gone", async () => {
    const counting = countingCluster();
    await counting.cluster.create(configMap("first"));
    counting.cluster.compact();
    const before = counting.held();
    const answer = await counting.cluster.fetch(
      "https://cluster.test/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=1",
      { headers: { authorization: `Bearer ${counting.cluster.adminToken()}` } },
    );
    expect(await answer.text()).toContain('"code":410');
    expect(counting.held()).toEqual(before);
    await counting.cluster.close();
  });

  test("of a revision that a read waits for", async () => {
    const counting = countingCluster();
    const { cluster, clock } = counting;
    const { metadata } = await cluster.create(configMap("first"));
    const before = counting.held();
    const list = (ahead: number) =>
      cluster.fetch(
        `https://cluster.test/api/v1/configmaps?resourceVersion=${Number(metadata.resourceVersion) + ahead}`,
        { headers: { authorization: `Bearer ${cluster.adminToken()}` } },
      );
    const [soon, never] = [list(1), list(100)];
    await cluster.create(configMap("second"));
    expect((await soon).status).toBe(200);
    // Those of the read that still waits.
    expect(counting.held()).toEqual({ timers: before.timers + 1, feeds: before.feeds + 1 });
    await clock.advance("3s");
    expect((await never).status).toBe(504);
    expect(counting.held()).toEqual(before);
    await cluster.close();
  });
});
