import { describe, expect, test } from "vitest";
import { type Item, put, storeOf } from "../../test/arbitraries/item-store.ts";
import type { Store } from "./store.ts";
import type { StoredValue } from "./stored-value.ts";
import { ValueReader } from "./value-reader.ts";

/** A release that shows each number tenfold, and that cannot read negative ones. */
const tenfold = () =>
  new ValueReader<Item>((value) =>
    value.n < 0 ? { unreadable: "negative" } : { value: { ...value, n: value.n * 10 } },
  );

const numbersIn = (store: Store<Item>) => store.range({ prefix: "" }).items.map(({ value }) => value.n);
const shown = (stored: StoredValue<Item> | undefined) => stored?.value.n;

/** A store with the values 1 and 2 at the revisions 2 and 3. */
async function source(options: Parameters<typeof storeOf>[0] = {}): Promise<Store<Item>> {
  const store = storeOf(options);
  await put(store, "a", 1);
  await put(store, "b", 2);
  return store;
}

describe("a store that reads the values of another one", () => {
  test("shows them in its form, and its own as they are", async () => {
    const store = await source();
    const reading = store.readBy(tenfold());
    await put(reading, "c", 3);
    expect([numbersIn(reading), numbersIn(store)]).toEqual([
      [10, 20, 3],
      [1, 2, 3],
    ]);
    expect([shown(reading.get("a")), reading.get("c")?.stale]).toEqual([10, undefined]);
    await put(store, "a", 4);
    expect([shown(reading.get("a")), shown(reading.get("a", 2)), reading.revision]).toEqual([40, 10, 5]);
  });

  test("tells its watchers what it shows of the events before and after their start", async () => {
    const store = await source();
    const reading = store.readBy(tenfold());
    const feed = reading.watch({ prefix: "", from: 1 });
    await put(store, "a", 3);
    await store.guaranteedUpdate("a", () => ({ type: "delete" }));
    const events = feed.drain();
    expect(events.map(({ value, previous }) => [shown(value), shown(previous)])).toEqual([
      [10, undefined],
      [20, undefined],
      [30, 10],
      [30, 30],
    ]);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ["put", 2],
      ["put", 3],
      ["put", 4],
      ["delete", 5],
    ]);
  });

  test("leaves in the history what was written before its own writes", async () => {
    const store = await source();
    const reading = store.readBy(tenfold());
    const [feed, other] = [reading, store].map((one) => one.watch({ prefix: "", from: 3 }));
    await put(reading, "a", 5);
    expect(other?.drain().map(({ value, previous }) => [shown(value), shown(previous)])).toEqual([[5, 1]]);
    expect(feed?.drain().map(({ value, previous }) => [shown(value), shown(previous)])).toEqual([[5, 10]]);
    expect(reading.get("a")).toMatchObject({ version: 2, createRevision: 2 });
  });

  test("has corrupt values once it has found one that it cannot read", async () => {
    const store = storeOf();
    await put(store, "a", -1);
    const reading = store.readBy(tenfold());
    expect([reading.hasCorrupt, reading.get("a")?.corrupt, reading.hasCorrupt]).toEqual([false, true, true]);
    expect([store.get("a")?.corrupt, store.hasCorrupt]).toEqual([false, false]);
  });

  test("has forks that read as it does", async () => {
    const reading = (await source()).readBy(tenfold());
    expect(numbersIn(reading.fork())).toEqual([10, 20]);
  });

  test("shows a restored state, and ends its watchers, too", async () => {
    const store = await source();
    const reading = store.readBy(tenfold());
    const snapshot = store.snapshot();
    const feed = reading.watch({ prefix: "", from: 3 });
    await put(store, "a", 5);
    store.restore(snapshot);
    expect([feed.error?.reason, numbersIn(reading)]).toEqual(["restored", [10, 20]]);
  });
});

describe("a store that begins to read", () => {
  test("shows what it has as before, and reads what others write from then on", async () => {
    const store = await source();
    store.readWith(tenfold());
    await put(store.readBy(new ValueReader((value) => ({ value }))), "c", 3);
    expect(numbersIn(store)).toEqual([1, 2, 30]);
  });

  test("keeps the reader that it has", async () => {
    const reading = (await source()).readBy(tenfold());
    reading.readWith(new ValueReader((value) => ({ value })));
    expect(numbersIn(reading)).toEqual([10, 20]);
  });
});

test("a store that is retired ends its watchers and shows no more events, and can still be read and written", async () => {
  const store = await source();
  const other = store.readBy(tenfold());
  const [feed, left] = [store.watch({ prefix: "", from: 3 }), other.watch({ prefix: "", from: 3 })];
  store.retire();
  expect([feed.ended, feed.error, left.ended]).toEqual([true, undefined, false]);
  const late = store.watch({ prefix: "", from: 3 });
  await put(store, "a", 5);
  expect([late.drain(), shown(store.get("a")), left.drain().length]).toEqual([[], 5, 1]);
});
