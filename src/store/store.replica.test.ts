import { describe, expect, test } from "vitest";
import { clockAt, type Item, put, storeOf } from "../../test/arbitraries/item-store.ts";
import type { Store } from "./store.ts";
import type { WatchFeed } from "./watch-feed.ts";

const keysIn = (store: Store<Item>) => store.range({ prefix: "" }).items.map(({ key }) => key);
const revisionsOf = (feed: WatchFeed<Item>) => feed.drain().map(({ revision }) => revision);

/** A store with the revisions 2, 3 and 4: a, b, and a changed. */
async function source(options: Parameters<typeof storeOf>[0] = {}): Promise<Store<Item>> {
  const store = storeOf(options);
  await put(store, "a", 1);
  await put(store, "b", 2);
  await put(store, "a", 3);
  return store;
}

describe("a replica", () => {
  test.each<[number, number, readonly string[], number | undefined]>([
    [4, 4, ["a", "b"], 3],
    [3, 3, ["a", "b"], 1],
    [2, 2, ["a"], 1],
    // Limited to the available revisions.
    [-5, 1, [], undefined],
    [9, 4, ["a", "b"], 3],
  ])("at revision %d shows %d", async (at, shown, keys, a) => {
    const store = await source();
    const replica = store.replica(at);
    await put(store, "c", 4);
    expect([replica.revision, keysIn(replica), replica.count("")]).toEqual([shown, keys, keys.length]);
    expect(replica.get("a")?.value.n).toBe(a);
    expect(() => replica.get("a", shown + 1)).toThrow("is yet to come");
  });

  test("sends its watchers only the events that it shows, and all of them once it follows", async () => {
    const store = await source();
    const replica = store.replica(3);
    const [old, future] = [replica.watch({ prefix: "", from: 1 }), replica.watch({ prefix: "", from: 5 })];
    expect(revisionsOf(old)).toEqual([2, 3]);
    await put(store, "c", 4);
    await put(store, "d", 5);
    expect(revisionsOf(old)).toEqual([]);
    replica.follow(store);
    expect([revisionsOf(old), revisionsOf(future), replica.revision]).toEqual([[4, 5, 6], [6], 6]);
    await put(store, "e", 6);
    expect([revisionsOf(old), keysIn(replica)]).toEqual([[7], ["a", "b", "c", "d", "e"]]);
  });

  test("follows a source that has compacted no more than what it shows", async () => {
    const store = await source();
    const replica = store.replica(4);
    const feed = replica.watch({ prefix: "", from: 4 });
    store.compact();
    await put(store, "c", 4);
    replica.follow(store);
    expect([feed.error, revisionsOf(feed)]).toEqual([undefined, [5]]);
  });

  test("keeps its watchers when it follows a source that has written nothing since", async () => {
    const store = await source();
    const replica = store.replica(4);
    const feed = replica.watch({ prefix: "", from: 4 });
    replica.follow(store);
    await put(store, "c", 4);
    expect([feed.error, revisionsOf(feed)]).toEqual([undefined, [5]]);
  });

  test("keeps history that its source compacts, and then cannot follow", async () => {
    const time = { now: 0 };
    const store = await source({ clock: clockAt(time) });
    const replica = store.replica(2);
    const feed = replica.watch({ prefix: "", from: 2 });
    time.now = 5000;
    store.compact();
    expect([store.compactRevision, keysIn(replica)]).toEqual([4, ["a"]]);
    replica.follow(store);
    expect([feed.error?.reason, keysIn(replica)]).toEqual(["restored", ["a", "b"]]);
  });

  test("is restored together with the source that it follows", async () => {
    const store = await source();
    const snapshot = store.snapshot();
    const replica = store.replica(4);
    replica.follow(store);
    const feed = replica.watch({ prefix: "", from: 4 });
    await put(store, "c", 4);
    store.restore(snapshot);
    expect([feed.error?.reason, replica.revision, keysIn(replica)]).toEqual(["restored", 4, ["a", "b"]]);
  });

  test("rejects writes", async () => {
    const store = await source();
    const replica = store.replica(4);
    await expect(put(replica, "c", 1)).rejects.toThrow("takes no writes");
    replica.follow(store);
    await expect(put(replica, "c", 1)).rejects.toThrow("takes no writes");
  });
});

test("a restore keeps watchers that can continue, without events until the revision exceeds the one before", async () => {
  const store = await source();
  const snapshot = store.snapshot();
  const client = store.watch({ prefix: "", from: 4, onRestore: "continue" });
  const cache = store.watch({ prefix: "", from: 4 });
  await put(store, "c", 4);
  expect(revisionsOf(client)).toEqual([5]);
  store.restore(snapshot, "keep");
  expect([client.ended, cache.error?.reason]).toEqual([false, "restored"]);
  await put(store, "d", 5);
  await put(store, "e", 6);
  expect(revisionsOf(client)).toEqual([6]);
});
