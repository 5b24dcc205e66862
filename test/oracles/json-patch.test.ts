import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPatchDifferences } from "./json-patch-differences.ts";
import { compareSteps } from "./json-patch-readers.ts";
import { misspellings, patchedDocuments } from "./json-patches.ts";
import { bothAccept, type Comparison, explanation, isSame } from "./known-difference.ts";

const titles = jsonPatchDifferences.map(({ title }) => title);
const numRuns = 2_000;

function last<T>(list: readonly T[]): T {
  const item = list.at(-1);
  if (item === undefined) throw new Error("an empty list");
  return item;
}

test("fast-json-patch and our JSON patch agree, except for known differences", () => {
  let compared = 0;
  fc.assert(
    fc.property(patchedDocuments(misspellings), (patched) => {
      const comparisons = compareSteps(patched);
      const end: Comparison<unknown> = last(comparisons);
      if (!isSame(end)) expect(titles).toContain(explanation(jsonPatchDifferences, last(comparisons)));
      else if (bothAccept(end) && comparisons.length === patched.operations.length) compared++;
    }),
    { numRuns },
  );
  // Runs that compare refusals only would prove little.
  expect(compared / numRuns).toBeGreaterThan(0.7);
});

test.each(jsonPatchDifferences)("$title", ({ title, example }) => {
  const comparison = last(compareSteps(example));
  expect(isSame(comparison)).toBe(false);
  expect(explanation(jsonPatchDifferences, comparison)).toBe(title);
});
