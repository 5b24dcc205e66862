import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Keyspace, type RangeOptions } from "./keyspace.ts";
import { type StoredValue, Version } from "./stored-value.ts";

interface Item {
  readonly n: number;
}

/** `a=1` puts, `a` deletes; the first write has revision 2 and time 20, the next 3 and 30, and so on. */
function keyspaceOf(writes: readonly string[]): Keyspace<Item> {
  const keyspace = Keyspace.empty<Item>(1);
  for (const write of writes) {
    const [key = "", n] = write.split("=");
    const type = n === undefined ? "delete" : "put";
    const revision = keyspace.revision + 1;
    const previous = keyspace.get(key, revision);
    const version = new Version(type, key, { n: Number(n) }, {}, revision, previous);
    keyspace.write(version, previous, revision * 10);
  }
  return keyspace;
}

const writes = ["p/a=1", "p/b=2", "p/c=3", "q/a=4", "p/a", "p/b=5", "p/d=6"];
const shown = ({ key, value }: StoredValue<Item>) => `${key}=${value.n}`;

describe("Keyspace", () => {
  test.each([
    [{ prefix: "p/" }, ["p/b=5", "p/c=3", "p/d=6"], 0],
    [{ prefix: "p/", at: 5 }, ["p/a=1", "p/b=2", "p/c=3"], 0],
    [{ prefix: "p/", at: 1 }, [], 0],
    [{ prefix: "p/", limit: 0 }, ["p/b=5", "p/c=3", "p/d=6"], 0],
    [{ prefix: "p/", limit: 1 }, ["p/b=5"], 2],
    [{ prefix: "p/", limit: 3 }, ["p/b=5", "p/c=3", "p/d=6"], 0],
    [{ prefix: "p/", limit: 2, at: 5 }, ["p/a=1", "p/b=2"], 1],
    [{ prefix: "p/", limit: 1, start: "p/b\0" }, ["p/c=3"], 1],
    [{ prefix: "p/", start: "a" }, ["p/b=5", "p/c=3", "p/d=6"], 0],
    [{ prefix: "p/", start: "q/" }, [], 0],
    [{ prefix: "q/", start: "p/" }, ["q/a=4"], 0],
    [{ prefix: "p/d" }, ["p/d=6"], 0],
    [{ prefix: "" }, ["p/b=5", "p/c=3", "p/d=6", "q/a=4"], 0],
  ])("the range %j is %j and %d more", (options: RangeOptions<Item>, items, remaining) => {
    const keyspace = keyspaceOf(writes);
    const page = keyspace.range(options);
    expect(page.items.map(shown)).toEqual(items);
    expect([page.remaining, page.more, page.revision]).toEqual([remaining, remaining > 0, options.at ?? 8]);
  });

  test("a range with a selection counts all remaining keys", () => {
    const select = ({ value }: StoredValue<Item>) => value.n === 3;
    const page = keyspaceOf(writes).range({ prefix: "p/", limit: 1, select });
    expect([page.items.map(shown), page.more, page.remaining]).toEqual([["p/c=3"], true, 1]);
  });

  test("a range that ends before its limit has no keys left, whatever it selects", () => {
    const select = ({ value }: StoredValue<Item>) => value.n === 3;
    const page = keyspaceOf(writes).range({ prefix: "p/", limit: 2, select });
    expect([page.items.map(shown), page.more, page.remaining]).toEqual([["p/c=3"], false, 0]);
  });

  test("a page has no more keys than its limit, however many there are", () => {
    const many = keyspaceOf(Array.from({ length: 200 }, (_, i) => `p/${1000 + i}=1`));
    const page = many.range({ prefix: "p/", limit: 10 });
    expect([page.items.length, page.remaining]).toEqual([10, 190]);
  });

  test.each([
    ["p/", 3],
    ["p/b", 1],
    ["", 4],
    ["x", 0],
  ])("counts the keys with the prefix %j", (prefix, count) => {
    expect(keyspaceOf(writes).count(prefix, 8)).toBe(count);
  });

  test("returns the events after a revision for the keys that match", () => {
    const events = keyspaceOf(writes).since(4, (key) => key.startsWith("p/"));
    expect(events.map(({ type, revision, previous }) => [type, revision, previous?.modRevision])).toEqual([
      ["delete", 6, 2],
      ["put", 7, 3],
      ["put", 8, undefined],
    ]);
  });

  test("compaction does not change reads from the compacted revision on", () => {
    for (let revision = 1; revision <= 8; revision++) {
      const [keyspace, whole] = [keyspaceOf(writes), keyspaceOf(writes)];
      keyspace.compact(revision);
      expect(keyspace.compactRevision).toBe(revision);
      for (let at = revision; at <= 8; at++) {
        expect(keyspace.range({ prefix: "", at })).toEqual(whole.range({ prefix: "", at }));
        expect(keyspace.since(at, () => true)).toEqual(whole.since(at, () => true));
      }
    }
  });

  test.each([
    [19, 1],
    [20, 2],
    [49, 4],
    [1000, 8],
  ])("versions that ended by time %d are dropped", (time, compactRevision) => {
    const keyspace = keyspaceOf(writes);
    keyspace.expire(time);
    expect(keyspace.compactRevision).toBe(compactRevision);
  });

  test.each<[title: string, writes: readonly string[], bytes: number]>([
    ["256 bytes for an event", ["a=1"], 256],
    ["what a put replaces", ["a=1", "a=2"], 256 + 256 + 33],
    ["what a delete removes, and its last value", ["a=1", "a"], 256 + 256 + 33 + 33],
    ["nothing of other keys", ["a=1", "b=2"], 256 + 256],
  ])("the size of the history counts %s", (_title, written, bytes) => {
    const keyspace = keyspaceOf(written);
    keyspace.limitHistory(bytes);
    expect(keyspace.compactRevision).toBe(1);
    keyspace.limitHistory(bytes - 1);
    expect(keyspace.compactRevision).toBeGreaterThan(1);
  });

  test("a history that is too large is compacted to seven eighths of its limit", () => {
    const eight = Array.from({ length: 8 }, (_, i) => `${i}=1`);
    const compactedTo = (bytes: number) => {
      const keyspace = keyspaceOf(eight);
      keyspace.limitHistory(bytes);
      return keyspace.compactRevision;
    };
    // Each event has 256 bytes, and seven eighths of 2,047 have room for six.
    expect([2048, 2047, 1800, 1024, 0].map(compactedTo)).toEqual([1, 3, 3, 6, 9]);
  });
});

test("a rewritten keyspace has the same keys and events with other values, none of them corrupt", () => {
  const original = keyspaceOf(["p/b=1", "p/a=2"]);
  const rewritten = original.rewritten([{ n: 3 }, { n: 4 }], 0);
  expect(rewritten.range({ prefix: "" }).items.map(shown)).toEqual(["p/a=4", "p/b=3"]);
  expect(rewritten.since(1, () => true).map(({ type, revision, key }) => [type, revision, key])).toEqual([
    ["put", 2, "p/b"],
    ["put", 3, "p/a"],
  ]);
  expect(rewritten.hasCorrupt).toBe(false);
});

test("a rewritten keyspace is one in which the other values were put", () => {
  const keys = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 3 }), { maxLength: 200 });
  fc.assert(
    fc.property(keys, fc.nat(), (names, seed) => {
      const original = keyspaceOf(names.map((name) => `p/${encodeURIComponent(name)}=1`));
      const values = names.map((_, index) => ({ n: seed + index }));
      const rewritten = original.rewritten(values, 7);
      const expected = keyspaceOf(
        names.map((name, index) => `p/${encodeURIComponent(name)}=${seed + index}`),
      );
      const states = [rewritten, expected].map((keyspace) => ({
        now: keyspace.range({ prefix: "" }),
        before: keyspace.range({ prefix: "p/", at: 1 + (names.length >> 1) }),
        events: keyspace.since(1, () => true),
        count: keyspace.count("p/", keyspace.revision),
      }));
      expect(states[0]).toEqual(states[1]);
      expect(original.range({ prefix: "" }).items.every(({ value }) => value.n === 1)).toBe(true);
      expect(rewritten.range({ prefix: "" }).items.every(({ value }) => Object.isFrozen(value))).toBe(true);
      // The times are new: nothing expires before.
      rewritten.expire(6);
      expect(rewritten.compactRevision).toBe(1);
      rewritten.expire(7);
      expect(rewritten.compactRevision).toBe(rewritten.revision);
    }),
    { numRuns: 50 },
  );
});
