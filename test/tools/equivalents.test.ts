import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { goneEquivalents, readEquivalents } from "../../tools/mutants/equivalents.ts";
import { findMutants } from "../../tools/mutants/find-mutants.ts";
import { nameOf } from "../../tools/mutants/mutant.ts";

test("every mutant that is listed as equivalent exists in its source", () => {
  const equivalents = readEquivalents();
  const files = [...new Set([...equivalents.values()].map(({ file }) => file))];
  const found = files.flatMap((file) => findMutants(file, readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(50);
  expect(goneEquivalents(equivalents, found, files).map(nameOf)).toEqual([]);
});
