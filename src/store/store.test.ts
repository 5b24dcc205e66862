import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { clockAt, type Item, put, storeOf } from "../../test/arbitraries/item-store.ts";
import type { Change, Store } from "./store.ts";
import type { StoredValue } from "./stored-value.ts";

const remove = (store: Store<Item>, key: string) => store.guaranteedUpdate(key, () => ({ type: "delete" }));
const reasonOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return error instanceof Error && "reason" in error ? error.reason : error;
  }
};

describe("guaranteedUpdate", () => {
  test("gives every write the next revision, and writes it into the value", async () => {
    const store = storeOf();
    const created = await put(store, "a", 1);
    const updated = await put(store, "a", 2);
    const deleted = await remove(store, "a");
    expect(created).toMatchObject({ type: "put", revision: 2, previous: undefined });
    expect(created.value).toMatchObject({ value: { n: 1, revision: 2 }, createRevision: 2, version: 1 });
    expect(updated).toMatchObject({ type: "put", revision: 3, previous: created.value });
    expect(updated.value).toMatchObject({ createRevision: 2, modRevision: 3, version: 2 });
    expect(deleted).toMatchObject({ type: "delete", revision: 4, key: "a", previous: updated.value });
    expect(deleted.value).toMatchObject({ value: { n: 2, revision: 4 }, modRevision: 4 });
    expect([store.get("a"), store.get("a", 3)]).toEqual([undefined, updated.value]);
  });

  test("deletes dependent keys with writes of their own, without other writes in between", async () => {
    const store = storeOf({ watchCapacity: 4 });
    for (const key of ["a", "b", "c"]) await put(store, key, 1);
    const feed = store.watch({ prefix: "", from: store.revision });
    const deletion = { type: "delete", last: { n: 2 }, others: ["c", "missing", "b"] } as const;
    const deleted = await store.guaranteedUpdate("a", () => deletion);
    expect(deleted).toMatchObject({
      type: "delete",
      key: "a",
      revision: 6,
      value: { value: { n: 2, revision: 6 } },
    });
    expect(deleted).toMatchObject({ previous: { value: { n: 2, revision: 5 }, version: 2 } });
    expect(feed.drain()).toMatchObject([
      { type: "put", key: "a", revision: 5, value: { value: { n: 2 } }, previous: { value: { n: 1 } } },
      { type: "delete", key: "a", revision: 6 },
      { type: "delete", key: "c", revision: 7 },
      { type: "delete", key: "b", revision: 8 },
    ]);
    expect(store.count("")).toBe(0);
    expect(store.get("a", 5)).toMatchObject({ value: { n: 2 } });
  });

  test("writes nothing if the change leaves the value as it is", async () => {
    const store = storeOf();
    const { value } = await put(store, "a", 1);
    const unchanged = () => ({ type: "unchanged" }) as const;
    expect(await store.guaranteedUpdate("a", unchanged)).toEqual({
      type: "unchanged",
      revision: 2,
      key: "a",
      value,
    });
    expect([store.revision, store.get("a")]).toEqual([2, value]);
  });

  test("writes nothing if a part of a delete fails", async () => {
    const stamp = (value: Item, revision: number) => {
      if (value.n < 0) throw new Error("cannot be stamped");
      return { ...value, revision };
    };
    const store = storeOf({ stamp });
    await put(store, "a", 1);
    const deletion = { type: "delete", last: { n: -1 } } as const;
    await expect(store.guaranteedUpdate("a", () => deletion)).rejects.toThrow("cannot be stamped");
    expect([store.revision, store.get("a")?.value.n]).toEqual([2, 1]);
  });

  test("creates a key again after a delete", async () => {
    const store = storeOf();
    await put(store, "a", 1);
    await remove(store, "a");
    expect((await put(store, "a", 1)).value).toMatchObject({ createRevision: 4, version: 1 });
  });

  test.each([
    ["the change returns unchanged", { type: "unchanged" }],
    ["there is nothing to delete", { type: "delete" }],
  ] satisfies [string, Change<Item>][])("writes nothing when %s", async (_title, change) => {
    const store = storeOf();
    expect(await store.guaranteedUpdate("a", () => change)).toEqual({
      type: "unchanged",
      revision: 1,
      key: "a",
      value: undefined,
    });
    expect(store.revision).toBe(1);
  });

  test("has committed when the call returns", () => {
    const store = storeOf();
    const promise = put(store, "a", 1);
    expect(store.get("a")?.value.n).toBe(1);
    return promise;
  });

  test.each(["change", "stamp"])("rejects and writes nothing if %s throws", async (culprit) => {
    const stamp = (value: Item, revision: number): Item => {
      if (culprit === "stamp" && revision === 3) throw new Error("no");
      return value;
    };
    const store = storeOf({ stamp });
    await put(store, "a", 1);
    const feed = store.watch({ prefix: "", from: 2 });
    const update = store.guaranteedUpdate("a", () => {
      if (culprit === "change") throw new Error("no");
      return { type: "delete" };
    });
    await expect(update).rejects.toThrow("no");
    expect([store.revision, store.get("a")?.value.n, feed.drain()]).toEqual([2, 1, []]);
  });

  test("calls the change again if it wrote the key itself", async () => {
    const store = storeOf();
    const seen: (number | undefined)[] = [];
    await store.guaranteedUpdate("a", (current, revision) => {
      seen.push(current?.value.n, revision);
      if (current === undefined) void put(store, "a", 1);
      return { type: "put", value: { n: (current?.value.n ?? 0) + 1 } };
    });
    expect([seen, store.get("a")?.value.n]).toEqual([[undefined, 1, 1, 2], 2]);
  });

  test("allows the change to write other keys", async () => {
    const store = storeOf();
    await store.guaranteedUpdate("a", () => {
      void put(store, "b", 1);
      return { type: "put", value: { n: 2 } };
    });
    expect([store.get("b")?.modRevision, store.get("a")?.value]).toEqual([2, { n: 2, revision: 3 }]);
  });

  test("freezes the value once and shares it", async () => {
    const store = storeOf();
    const deep = { list: [1] };
    await store.guaranteedUpdate("a", () => ({ type: "put", value: { n: 1, deep } }));
    const read = store.get("a");
    expect(read?.value.deep).toBe(deep);
    expect([read?.value, deep, deep.list].map((node) => Object.isFrozen(node))).toEqual([true, true, true]);
    expect(store.range({ prefix: "" }).items[0]).toBe(read);
  });
});

describe("reads", () => {
  test.each([
    [1, "compacted"],
    [2, 1],
    [3, 2],
    [4, "future"],
  ])("at revision %d give %s", async (at, expected) => {
    const store = storeOf();
    await put(store, "a", 1);
    await put(store, "a", 2);
    store.compact(2);
    expect(reasonOf(() => store.get("a", at)?.value.n)).toBe(expected);
    expect(reasonOf(() => store.range({ prefix: "a", at }).items[0]?.value.n)).toBe(expected);
  });

  test.each([
    [999, 1],
    [1000, 2],
    [1499, 2],
    [1500, 3],
  ])("at time %d the oldest revision is %d", async (now, oldest) => {
    const time = { now: 0 };
    const store = storeOf({ clock: clockAt(time) });
    await put(store, "a", 1);
    time.now = 500;
    await put(store, "a", 2);
    time.now = now;
    expect(reasonOf(() => store.get("a", oldest - 1))).toBe("compacted");
    expect(reasonOf(() => store.get("a", oldest))).not.toBe("compacted");
    expect(store.compactRevision).toBe(oldest);
  });

  test("a store starts at the revision of its options", () => {
    const store = storeOf({ startRevision: 700 });
    expect([store.revision, store.compactRevision, storeOf().revision]).toEqual([700, 700, 1]);
    expect(reasonOf(() => store.get("a", 699))).toBe("compacted");
  });

  test("count returns the number of keys", async () => {
    const store = storeOf();
    for (const key of ["a/1", "a/2", "b/1"]) await put(store, key, 1);
    await remove(store, "a/1");
    expect([store.count(""), store.count("a/"), store.count("b/1")]).toEqual([2, 1, 1]);
  });

  test("a selection cannot write, but can read", async () => {
    const time = { now: 0 };
    const store = storeOf({ clock: clockAt(time) });
    for (const key of ["a", "b", "c"]) await put(store, key, 1);
    await remove(store, "a");
    const writes: Promise<unknown>[] = [];
    const select = ({ key }: StoredValue<Item>) => {
      time.now = 5000;
      writes.push(put(store, key, 2));
      expect(() => store.compact()).toThrow("select must not write");
      return (
        store.get(key, 5)?.key === key && store.range({ prefix: key, select: () => true }).items.length === 1
      );
    };
    expect(store.range({ prefix: "", select }).items.map(({ key }) => key)).toEqual(["b", "c"]);
    for (const write of writes) await expect(write).rejects.toThrow("select must not write");
    await put(store, "d", 1);
    expect(store.revision).toBe(6);
  });

  test("a selection that throws leaves the store as it was", async () => {
    const store = storeOf();
    await put(store, "a", 1);
    const select = () => {
      throw new Error("no");
    };
    expect(() => store.range({ prefix: "", select })).toThrow("no");
    await put(store, "a", 2);
    expect(store.revision).toBe(3);
  });
});

describe("watch", () => {
  const revisions = (events: readonly { revision: number }[]) => events.map(({ revision }) => revision);

  test("replays the history and continues with new events", async () => {
    const store = storeOf();
    for (const key of ["p/a", "q/a", "p/b"]) await put(store, key, 1);
    const feed = store.watch({ prefix: "p/", from: 1 });
    await remove(store, "p/a");
    await put(store, "q/a", 2);
    expect(revisions(feed.drain())).toEqual([2, 4, 5]);
    await put(store, "p/b", 2);
    expect(revisions(feed.drain())).toEqual([7]);
  });

  test("sends all watchers the same event object", async () => {
    const store = storeOf();
    const feeds = ["", "p/", "p/a"].map((prefix) => store.watch({ prefix, from: 1 }));
    const event = await put(store, "p/a", 1);
    for (const feed of feeds) expect(feed.drain()[0]).toBe(event);
  });

  test("from a future revision starts after it", async () => {
    const store = storeOf();
    const feed = store.watch({ prefix: "", from: 3 });
    for (const n of [2, 3, 4]) await put(store, "a", n);
    expect(revisions(feed.drain())).toEqual([4]);
  });

  test("from a compacted revision ends with an error", async () => {
    const store = storeOf();
    await put(store, "a", 1);
    store.compact();
    const feed = store.watch({ prefix: "", from: 1 });
    expect([feed.ended, feed.error?.reason]).toEqual([true, "compacted"]);
    expect(feed.error?.requested).toEqual({ requested: 1, compactRevision: 2, revision: 2 });
    await put(store, "a", 2);
    await expect(feed.next()).rejects.toMatchObject({ reason: "compacted" });
    expect(store.watch({ prefix: "", from: 2 }).ended).toBe(false);
  });

  test("ends when its events are not read, while others continue", async () => {
    const store = storeOf({ watchCapacity: 2 });
    const [slow, fast] = [store.watch({ prefix: "", from: 1 }), store.watch({ prefix: "", from: 1 })];
    for (let n = 0; n < 5; n++) {
      await put(store, "a", n);
      expect(fast.drain()).toHaveLength(1);
    }
    expect([slow.error?.reason, slow.drain(), fast.ended]).toEqual(["tooSlow", [], false]);
  });

  test("is closed by its signal, and leaves no listener on it", async () => {
    const store = storeOf();
    const controller = new AbortController();
    const { signal } = controller;
    const feeds = [0, 1].map(() => store.watch({ prefix: "", from: 1, signal }));
    await feeds[0]?.return();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect([feeds[1]?.ended, feeds[1]?.error]).toEqual([true, undefined]);
    expect(store.watch({ prefix: "", from: 1, signal }).ended).toBe(true);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("is not referenced after its end", async () => {
    const store = storeOf();
    const signal = new AbortController().signal;
    const end = ["return", "error", "overflow", "none"] as const;
    const refs = end.map((how) => {
      const feed = store.watch({ prefix: "p/", from: 1, signal });
      if (how === "return") void feed.return();
      if (how === "error") feed.onReady(() => expect.unreachable());
      else if (how !== "overflow") feed.onReady(() => feed.drain());
      return new WeakRef(feed);
    });
    for (let n = 0; n < 5; n++) await put(store, "p/a", n);
    await collectGarbage();
    expect(refs.map((ref) => ref.deref() !== undefined)).toEqual([false, false, false, true]);
  });

  test("a callback that throws affects neither the write nor other watchers", async () => {
    const store = storeOf();
    const [bad, good] = [store.watch({ prefix: "", from: 1 }), store.watch({ prefix: "", from: 1 })];
    bad.onReady(() => {
      throw new Error("mine");
    });
    await put(store, "a", 1);
    await put(store, "a", 2);
    expect(revisions(good.drain())).toEqual([2, 3]);
    expect(bad.error?.reason).toBe("callbackFailed");
  });

  test("a reader may write", async () => {
    const store = storeOf();
    const feed = store.watch({ prefix: "", from: 1 });
    const seen: number[] = [];
    void put(store, "a", 1);
    for await (const { revision, value } of feed) {
      seen.push(revision);
      if (value.value.n === 3) break;
      void put(store, "a", value.value.n + 1);
    }
    expect(seen).toEqual([2, 3, 4]);
  });
});
