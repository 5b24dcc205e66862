import { expect, test } from "vitest";
import { firstPending, formatIndexes, parseIndexes } from "./index-set.ts";

test.each([
  ["", []],
  ["3", [3]],
  ["1,2", [1, 2]],
  ["0-2,4", [0, 1, 2, 4]],
])("%s are the indexes %s", (text, indexes) => {
  expect([...parseIndexes(text, 10)]).toEqual(indexes);
  expect(formatIndexes(indexes)).toBe(text);
});

test("indexes end below the completions, and what is malformed is left out", () => {
  expect([...parseIndexes("1,x,3-9,12", 5)]).toEqual([1, 3, 4]);
});

test("the first pending indexes are those that no set contains", () => {
  expect(firstPending(3, 10, [new Set([0, 2]), new Set([3])])).toEqual([1, 4, 5]);
  expect(firstPending(3, 4, [new Set([0, 1, 2])])).toEqual([3]);
});
