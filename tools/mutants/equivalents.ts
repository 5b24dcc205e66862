import { readFileSync } from "node:fs";
import { type Mutant, type MutantName, nameOf } from "./mutant.ts";

/** The list of mutants that no test can tell from the original, with the reason of each. */
export const equivalentsFile = "test/mutants/equivalent.json";

export interface Equivalent extends MutantName {
  readonly reason: string;
}

export function readEquivalents(): ReadonlyMap<string, Equivalent> {
  const entries: readonly Equivalent[] = JSON.parse(readFileSync(equivalentsFile, "utf8"));
  return new Map(entries.map((entry) => [nameOf(entry), entry]));
}

/** The entries for these files that no longer name a mutant of them. */
export function goneEquivalents(
  listed: ReadonlyMap<string, Equivalent>,
  mutants: readonly Mutant[],
  files: readonly string[],
): readonly Equivalent[] {
  const names = new Set(mutants.map(nameOf));
  return [...listed]
    .filter(([name, { file }]) => files.includes(file) && !names.has(name))
    .map(([, entry]) => entry);
}
