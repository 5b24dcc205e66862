import { describe, expect, test } from "vitest";
import { put, storeOf } from "../../test/arbitraries/item-store.ts";

describe("a corrupt value", () => {
  test("is a separate write, and marks the previous value", async () => {
    const store = storeOf();
    const before = await put(store, "/r/a", 1);
    expect(store.hasCorrupt).toBe(false);
    store.corrupt("/r/a", "/r/");
    expect(store.hasCorrupt).toBe(true);
    expect(store.get("/r/a")).toMatchObject({ corrupt: true, value: { n: 1 }, modRevision: 3, version: 2 });
    expect(store.get("/r/a", 2)).toBe(before.value);
    expect(before.value?.corrupt).toBe(false);
    expect(store.range({ prefix: "/r/" }).items.map(({ corrupt }) => corrupt)).toEqual([true]);
  });

  test("becomes readable after a put, and can be deleted", async () => {
    const store = storeOf();
    await put(store, "/r/a", 1);
    store.corrupt("/r/a", "/r/");
    expect(await put(store, "/r/a", 2)).toMatchObject({
      value: { corrupt: false },
      previous: { corrupt: true },
    });
    store.corrupt("/r/a", "/r/");
    const deleted = await store.guaranteedUpdate("/r/a", () => ({ type: "delete" }));
    expect(deleted).toMatchObject({ type: "delete", value: { corrupt: false }, previous: { corrupt: true } });
    expect(store.get("/r/a")).toBeUndefined();
  });

  test("ends the watchers of its folder and below, and no others", async () => {
    const store = storeOf();
    await put(store, "/r/n/a", 1);
    const open = (prefix: string) => store.watch({ prefix, from: store.revision });
    const within = ["/r/", "/r/n/", "/r/m/", "/r/n/a"].map(open);
    const others = ["", "/q/"].map(open);
    store.corrupt("/r/n/a", "/r/");
    expect(within.map(({ ended, error }) => [ended, error])).toEqual(within.map(() => [true, undefined]));
    expect(others.map((feed) => feed.drain().map(({ type, key }) => [type, key]))).toEqual([
      [["put", "/r/n/a"]],
      [],
    ]);
  });

  test("is shared by forks and undone by a restore", async () => {
    const store = storeOf();
    await put(store, "/r/a", 1);
    const saved = store.snapshot();
    store.corrupt("/r/a", "/r/");
    const fork = store.fork();
    store.restore(saved);
    expect([store.get("/r/a")?.corrupt, store.hasCorrupt]).toEqual([false, false]);
    expect([fork.get("/r/a")?.corrupt, fork.hasCorrupt]).toEqual([true, true]);
  });

  test("is not written while a range selects", async () => {
    const store = storeOf();
    await put(store, "/r/a", 1);
    const select = () => {
      store.corrupt("/r/a", "/r/");
      return true;
    };
    expect(() => store.range({ prefix: "", select })).toThrow("select must not write");
    expect(store.hasCorrupt).toBe(false);
  });

  test("requires an existing key", () => {
    const store = storeOf();
    store.corrupt("/r/a", "/r/");
    expect([store.revision, store.hasCorrupt]).toEqual([1, false]);
  });
});
