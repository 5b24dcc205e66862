import { basename, dirname } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Recording } from "./runner.ts";

/** The files that may yet kill a mutant, those first that most probably do it soon. */
export function relevantTests(
  id: number,
  mutant: Mutant,
  recordings: readonly Recording[],
): readonly Recording[] {
  return recordings
    .filter(({ undecided }) => undecided.has(id))
    .sort((a, b) => cost(mutant, a) - cost(mutant, b));
}

/** The duration, divided by how near the test is to the source by its path. */
function cost({ file }: Mutant, test: Recording): number {
  const name = basename(file, ".ts");
  const folder = dirname(file).slice("src/".length);
  const isNamedAlike = basename(test.file).startsWith(`${name}.`);
  const isInSameFolder = test.file.includes(`/${folder}/`);
  return test.milliseconds / (1 + 20 * Number(isNamedAlike) + 5 * Number(isInSameFolder));
}
