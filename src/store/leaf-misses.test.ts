import { expect, test } from "vitest";
import { forgetMisses, noMisses, noteMiss, type WithMisses } from "./leaf-misses.ts";

test("the last four selections that found nothing are kept until a value changes", () => {
  const leaf: WithMisses = { misses: noMisses };
  for (const selection of ["a", "b", "c"]) noteMiss(leaf, selection);
  expect(leaf.misses).toEqual(["c", "b", "a"]);
  for (const selection of ["d", "e"]) noteMiss(leaf, selection);
  expect(leaf.misses).toEqual(["e", "d", "c", "b"]);
  forgetMisses(leaf);
  expect(leaf.misses).toEqual([]);
});
