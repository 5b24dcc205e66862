import { describe, expect, test } from "vitest";
import { clockAt, put, storeOf } from "../../test/arbitraries/item-store.ts";

describe("fork, snapshot and restore", () => {
  test("a fork has the same state and history, without watchers", async () => {
    const time = { now: 0 };
    const store = storeOf({ clock: clockAt(time) });
    await put(store, "a", 1);
    const feed = store.watch({ prefix: "", from: 2 });
    const copy = store.fork();
    const slower = store.fork(clockAt({ now: 0 }));
    await put(copy, "a", 2);
    await put(store, "b", 3);
    expect([store.get("a")?.value.n, copy.get("a")?.value.n, copy.get("a", 2)?.value.n]).toEqual([1, 2, 1]);
    expect([store.get("b")?.modRevision, copy.get("b")]).toEqual([3, undefined]);
    expect(feed.drain().map(({ key }) => key)).toEqual(["b"]);
    time.now = 5000;
    expect([store, copy, slower].map((one) => one.compactRevision)).toEqual([3, 3, 1]);
  });

  test("a restore returns to the state, ends all watchers, and can be repeated", async () => {
    const store = storeOf();
    await put(store, "a", 1);
    const snapshot = store.snapshot();
    for (let round = 0; round < 2; round++) {
      const feed = store.watch({ prefix: "", from: 2 });
      await put(store, "a", 9);
      store.compact();
      store.restore(snapshot);
      expect([store.revision, store.compactRevision, store.get("a")?.value]).toEqual([
        2,
        1,
        { n: 1, revision: 2 },
      ]);
      await put(store, "b", 1);
      expect([feed.error?.reason, feed.drain()]).toEqual(["restored", []]);
      expect(
        store
          .watch({ prefix: "", from: 2 })
          .drain()
          .map(({ key }) => key),
      ).toEqual(["b"]);
    }
    expect([snapshot.revision, store.revision]).toEqual([2, 3]);
  });

  test("a restore within a change calls the change again", async () => {
    const store = storeOf();
    const snapshot = store.snapshot();
    await put(store, "a", 1);
    let calls = 0;
    await store.guaranteedUpdate("a", (current) => {
      if (++calls === 1) store.restore(snapshot);
      return { type: "put", value: { n: (current?.value.n ?? 10) + 1 } };
    });
    expect([calls, store.get("a")?.value]).toEqual([2, { n: 11, revision: 2 }]);
  });
});
