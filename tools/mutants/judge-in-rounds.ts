import type { Recording, Runner, Verdict } from "./runner.ts";
import { share } from "./share.ts";

/** A mutant that has runs of its own, and the test files that may kill it, those first that most probably do it soon. */
export interface OpenMutant {
  readonly id: number;
  readonly tests: readonly Recording[];
}

/** Mutants that meet the same test file. */
interface Batch {
  readonly test: Recording;
  readonly ids: readonly number[];
}

/** A runner judges no more mutants before another one may take the rest. */
const batchSize = 10;

/**
 * The verdicts about mutants that do not survive. In each round, every mutant that is left meets its next test file;
 * `onRound` gets the number of mutants that are left. Those that meet the same file share its run without a mutant.
 */
export async function judgeInRounds(
  runners: readonly Pick<Runner, "judge">[],
  mutants: readonly OpenMutant[],
  onRound: (round: number, left: number) => void,
): Promise<ReadonlyMap<number, Verdict>> {
  const verdicts = new Map<number, Verdict>();
  for (let round = 0; ; round++) {
    const left = mutants.filter(({ id, tests }) => round < tests.length && !verdicts.has(id));
    if (left.length === 0) return verdicts;
    onRound(round + 1, left.length);
    await share(runners, batchesOf(left, round), async (runner, { ids, test }) => {
      for (const [id, verdict] of await runner.judge(ids, test)) verdicts.set(id, verdict);
    });
  }
}

function batchesOf(mutants: readonly OpenMutant[], round: number): readonly Batch[] {
  const byTest = new Map<Recording, number[]>();
  for (const { id, tests } of mutants) {
    const test = tests[round];
    if (test !== undefined) byTest.set(test, [...(byTest.get(test) ?? []), id]);
  }
  return [...byTest].flatMap(([test, ids]) => slicesOf(ids).map((slice) => ({ test, ids: slice })));
}

function slicesOf(ids: readonly number[]): readonly (readonly number[])[] {
  const slices = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) => at * batchSize);
  return slices.map((start) => ids.slice(start, start + batchSize));
}
