import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { clockAt, type Item, put, storeOf } from "../../test/arbitraries/item-store.ts";

describe("compact", () => {
  test("drops what is no longer visible", async () => {
    const store = storeOf({ stamp: (value) => value, watchCapacity: 10 });
    const refs = new Map<string, WeakRef<Item>>();
    const write = async (name: string, key: string, n: number) => {
      const value = { n };
      refs.set(name, new WeakRef(value));
      await store.guaranteedUpdate(key, () => (n < 0 ? { type: "delete" } : { type: "put", value }));
    };
    await write("replaced", "a", 1);
    await write("kept", "a", 2);
    await write("deleted", "b", 1);
    await write("tombstone", "b", -1);
    await write("replaced twice", "c", 1);
    await write("seen at the compacted revision", "c", 2);
    store.watch({ prefix: "", from: 1 }).close();
    store.compact(7);
    await write("new", "c", 3);
    const held = async () => {
      await collectGarbage();
      return [...refs].filter(([, ref]) => ref.deref() !== undefined).map(([name]) => name);
    };
    expect(await held()).toEqual(["kept", "seen at the compacted revision", "new"]);
    store.compact();
    expect(await held()).toEqual(["kept", "new"]);
  });

  test("frees every event before it, also those of a part of the history that stays", async () => {
    const store = storeOf({ stamp: (value) => value });
    const refs: WeakRef<Item>[] = [];
    for (let n = 0; n < 300; n++) {
      const value = { n };
      refs.push(new WeakRef(value));
      await store.guaranteedUpdate("k", () => ({ type: "put", value }));
    }
    store.compact(281);
    await collectGarbage();
    const held = refs.flatMap((ref) => ref.deref()?.n ?? []);
    // The value of revision 281 is visible at that revision.
    expect(held.slice(-21)).toEqual(Array.from({ length: 21 }, (_, index) => 279 + index));
    // The engine may still hold one that a stack or a cache of compiled code refers to.
    expect(held.length).toBeLessThan(21 + 4);
  });

  test("is noticed by a watch of what has expired", async () => {
    const time = { now: 0 };
    const store = storeOf({ clock: clockAt(time) });
    await put(store, "a", 1);
    await put(store, "a", 2);
    time.now = 1000;
    const feeds = [2, 3].map((from) => store.watch({ prefix: "", from }));
    expect(feeds.map(({ ended, error }) => [ended, error?.reason])).toEqual([
      [true, "compacted"],
      [false, undefined],
    ]);
  });

  test("happens with each write for what has expired, so that a store that is only written does not grow", async () => {
    const time = { now: 0 };
    const store = storeOf({ clock: clockAt(time) });
    await put(store, "a", 1);
    await put(store, "a", 2);
    time.now = 1000;
    await put(store, "a", 3);
    // By the clock of the fork, nothing has expired.
    expect(store.fork(clockAt({ now: 0 })).compactRevision).toBe(3);
  });

  test("happens with each write beyond the size of the history", async () => {
    const store = storeOf({ historyBytes: 2000 });
    for (let n = 0; n < 100; n++) await put(store, "a", n);
    const kept = store.revision - store.compactRevision;
    expect(kept).toBeGreaterThan(2);
    expect(kept).toBeLessThan(10);
  });

  test("drops all but the latest revision by default, and never goes back", async () => {
    const store = storeOf();
    await put(store, "a", 1);
    await put(store, "a", 2);
    store.compact();
    store.compact(1);
    expect(store.compactRevision).toBe(3);
    expect(() => store.compact(4)).toThrow(expect.objectContaining({ reason: "future" }));
  });
});
