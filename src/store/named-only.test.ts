import { describe, expect, test } from "vitest";
import { namedOnly } from "./named-only.ts";

type Found = "some" | "none" | "end";

/** Entries with these keys, and the keys that were read. */
function entriesOf(keys: readonly string[]) {
  const read = new Set<string>();
  const entries = keys.map((key) => ({
    get key() {
      read.add(key);
      return key;
    },
  }));
  return { entries, read };
}

/** The indices that a visit of a name gets of these keys, and its result; a visit takes one of `answers`. */
function visited(
  name: string,
  keys: readonly string[],
  answers: readonly Found[] = [],
  first = 0,
  last = keys.length,
) {
  const { entries, read } = entriesOf(keys);
  const indices: number[] = [];
  const visit = namedOnly<{ readonly key: string }>(name, (_entries, from, end) => {
    expect(end).toBe(from + 1);
    indices.push(from);
    return answers[indices.length - 1] ?? "some";
  });
  return { result: visit(entries, first, last), indices, read: [...read] };
}

describe("the keys with a name", () => {
  test.each<[title: string, name: string, keys: readonly string[], indices: readonly number[]]>([
    ["the first of a folder", "a", ["p/a", "p/b", "p/c"], [0]],
    ["the last of a folder", "c", ["p/a", "p/b", "p/c"], [2]],
    ["the only one", "a", ["p/a"], [0]],
    ["of each folder", "c", ["a/x", "b/c", "c/c"], [1, 2]],
    ["below the folder of the first key", "c", ["p/a", "p/b/c"], [1]],
    ["whose name only ends in it", "c", ["p/a", "p/bc", "p/c"], [2]],
    ["in the order of bytes", "\uffee", ["p/\uff00", "p/\uffee", "p/\u{1f600}"], [1]],
    ["none", "b", ["p/a", "p/c"], []],
  ])("are found: %s", (_title, name, keys, indices) => {
    const { result, indices: found } = visited(name, keys);
    expect(found).toEqual(indices);
    expect(result).toBe(indices.length > 0 ? "some" : "none");
  });

  test.each([
    ["a", ["p/b", "p/c", "p/d"]],
    ["e", ["p/b", "p/c", "p/d"]],
  ])("%s is not looked for in a folder whose keys are all after or before it", (name, keys) => {
    const { result, read } = visited(name, keys);
    expect([result, read]).toEqual(["none", ["p/b", "p/d"]]);
  });

  test("are those within the range", () => {
    const keys = ["p/a/x", "p/b/x", "p/c/x"];
    expect(visited("x", keys, [], 1, 2).indices).toEqual([1]);
    expect(visited("x", keys, [], 1, 1)).toMatchObject({ result: "none", indices: [] });
  });

  test.each<[answers: readonly Found[], result: Found, count: number]>([
    [["none", "none", "none"], "none", 3],
    [["none", "some", "none"], "some", 3],
    [["some", "end"], "end", 2],
    [["end"], "end", 1],
  ])("are visited until the visit ends: %j is %s", (answers, result, count) => {
    const { result: found, indices } = visited("x", ["a/x", "b/x", "c/x"], answers);
    expect([found, indices.length]).toEqual([result, count]);
  });
});

test("without a name, all entries are visited", () => {
  const visit = () => "some" as const;
  expect(namedOnly(undefined, visit)).toBe(visit);
});
