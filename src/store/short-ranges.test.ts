import { expect, test } from "vitest";
import { ShortRanges } from "./short-ranges.ts";

test("a range is remembered until a key in it is written", () => {
  const ranges = new ShortRanges<number>();
  ranges.remember("/a/", [1, 2]);
  ranges.remember("/b/", []);
  ranges.forget("/b");
  ranges.forget("/ab/x");
  expect([ranges.get("/a/"), ranges.get("/b/"), ranges.get("/c/")]).toEqual([[1, 2], [], undefined]);
  ranges.forget("/a/x");
  expect([ranges.get("/a/"), ranges.get("/b/")]).toEqual([undefined, []]);
});

test("long ranges are not remembered", () => {
  const ranges = new ShortRanges<number>();
  ranges.remember("/a/", [1, 2, 3, 4, 5, 6, 7, 8]);
  ranges.remember("/b/", [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([ranges.get("/a/")?.length, ranges.get("/b/")]).toEqual([8, undefined]);
});

test("the number of ranges has a bound", () => {
  const ranges = new ShortRanges<number>();
  const prefixes = Array.from({ length: 1000 }, (_, index) => `/${index}/`);
  for (const prefix of prefixes) ranges.remember(prefix, [1]);
  const kept = prefixes.filter((prefix) => ranges.get(prefix) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(16);
  expect(kept.at(-1)).toBe("/999/");
});
