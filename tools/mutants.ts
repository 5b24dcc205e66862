import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Equivalent, equivalentsFile, goneEquivalents, readEquivalents } from "./mutants/equivalents.ts";
import { findMutants } from "./mutants/find-mutants.ts";
import type { Switch } from "./mutants/instrument.ts";
import { judgeInRounds } from "./mutants/judge-in-rounds.ts";
import { type Module, modules, testFilesOf } from "./mutants/modules.ts";
import { describeMutant, nameOf } from "./mutants/mutant.ts";
import { relevantTests } from "./mutants/relevance.ts";
import { formatScores, type Judged, scoreOf } from "./mutants/report.ts";
import { type Recording, Runner } from "./mutants/runner.ts";
import { sample } from "./mutants/sample.ts";
import { share } from "./mutants/share.ts";

/** The share of the sampled mutants that are not equivalent which the tests must kill. */
const required = 0.97;

interface Plan {
  readonly seed: number;
  /** The number of mutants of each module. */
  readonly count: number;
  /** The number of test files that try to kill a mutant. */
  readonly tries: number;
  /** Whether every listed mutant is judged, too: whether it still survives. */
  readonly listed: "judged" | "skipped";
  /** The number of test files that run at a time. */
  readonly workers: number;
  /** Beginnings of paths: only such test files of the modules run. */
  readonly tests: readonly string[];
  /** Names of modules, or beginnings of paths of sources; all if there is none. */
  readonly names: readonly string[];
}

/** A mutant that is judged, and its module. */
interface Chosen extends Switch {
  readonly module: Module;
}

/**
 * `npm run mutants [-- --seed N --sample N --tries N --workers N --skip-listed --tests START NAME...]`: changes the sources in small ways, one at a time, and
 * looks whether a test fails. Prints the score of each module and the mutants that survive. Exits with 1 if a score is
 * too low or the list of equivalent mutants is not true.
 */
export async function main(args: readonly string[]): Promise<number> {
  const plan = readPlan(args);
  const equivalents = readEquivalents();
  const { chosen, totals, gone } = choose(plan, equivalents);
  console.log(
    `seed ${plan.seed}: ${chosen.length} mutants; the same again: npm run mutants -- ${command(plan)}`,
  );
  const judged = await judgeAll(chosen, plan, equivalents);
  console.log(formatScores(judged, totals));
  const survivors = judged.filter(({ verdict, reason }) => verdict === "survived" && reason === undefined);
  for (const { mutant, tests } of survivors)
    console.log(`survived ${tests} test files: ${describeMutant(mutant)}`);
  const wrong = judged.filter(({ verdict, reason }) => verdict !== "survived" && reason !== undefined);
  for (const { mutant } of wrong) console.log(`${equivalentsFile}: killed: ${describeMutant(mutant)}`);
  for (const entry of gone) console.log(`${equivalentsFile}: gone: ${nameOf(entry)}`);
  return gone.length + wrong.length === 0 && scoreOf(judged) >= required ? 0 : 1;
}

function readPlan(args: readonly string[]): Plan {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: "string" },
      sample: { type: "string" },
      tries: { type: "string" },
      workers: { type: "string" },
      "skip-listed": { type: "boolean" },
      tests: { type: "string", multiple: true },
    },
  });
  return {
    seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
    count: Number(values.sample ?? 40),
    tries: Number(values.tries ?? 40),
    listed: values["skip-listed"] ? "skipped" : "judged",
    workers: Number(values.workers ?? availableParallelism()),
    tests: values.tests ?? [""],
    names: positionals,
  };
}

function command({ seed, count, tries, tests, names }: Plan): string {
  const chosen = tests.filter(Boolean).map((start) => `--tests ${start}`);
  return [`--seed ${seed} --sample ${count} --tries ${tries}`, ...chosen, ...names].join(" ");
}

/** The sampled mutants of each wanted module, and every listed one if those are wanted. */
function choose({ seed, count, names, listed }: Plan, equivalents: ReadonlyMap<string, Equivalent>) {
  const chosen: Chosen[] = [];
  const totals = new Map<string, number>();
  const gone: Equivalent[] = [];
  for (const module of modules()) {
    const isWanted = (file: string) => names.some((start) => file.startsWith(start));
    const files =
      names.length === 0 || names.includes(module.name) ? module.files : module.files.filter(isWanted);
    if (files.length === 0) continue;
    const found = files.flatMap((file) => findMutants(file, readFileSync(file, "utf8")));
    totals.set(module.name, found.length);
    gone.push(...goneEquivalents(equivalents, found, files));
    const sampled = new Set(sample(found, count, seed));
    for (const mutant of found) {
      const isChecked = listed === "judged" && equivalents.has(nameOf(mutant));
      if (!sampled.has(mutant) && !isChecked) continue;
      chosen.push({ id: chosen.length + 1, mutant, module });
    }
  }
  return { chosen, totals, gone };
}

async function judgeAll(
  chosen: readonly Chosen[],
  { seed, tries, workers, tests, listed }: Plan,
  equivalents: ReadonlyMap<string, Equivalent>,
): Promise<readonly Judged[]> {
  const files = new Set(chosen.flatMap(({ module }) => module.files));
  const runners = await Promise.all(Array.from({ length: workers }, () => Runner.start(chosen, files, seed)));
  const recordings: Recording[] = [];
  const isSkipped = ({ mutant }: Chosen) => listed === "skipped" && equivalents.has(nameOf(mutant));
  const alive = new Set(chosen.filter((one) => !isSkipped(one)).map(({ id }) => id));
  const testFiles = testFilesOf([...new Set(chosen.map(({ module }) => module))]).filter((file) =>
    tests.some((start) => file.startsWith(start)),
  );
  if (testFiles.length === 0) throw new Error(`no test of these modules begins with ${tests.join(" or ")}`);
  await share(runners, testFiles, async (runner, file) => {
    if (alive.size === 0) return;
    const recording = await runner.record(file, [...alive]);
    if (typeof recording === "string") {
      console.log(`left out: ${file} fails without a mutant: ${recording}`);
      return;
    }
    recordings.push(recording);
    for (const id of recording.killed) alive.delete(id);
    console.log(`${recordings.length}. ${file} leaves ${alive.size} mutants`);
  });
  const left = `${alive.size} mutants are left, which have a run of each test file for themselves`;
  console.log(`recorded which of ${recordings.length} test files reaches which mutant; ${left}`);
  const open = chosen
    .filter(({ id }) => alive.has(id))
    .map(({ id, mutant }) => ({ id, tests: relevantTests(id, mutant, recordings).slice(0, tries) }));
  const verdicts = await judgeInRounds(runners, open, (round, count) =>
    console.log(`round ${round}: ${count} mutants`),
  );
  await Promise.all(runners.map((runner) => runner.close()));
  return chosen.map((one) => {
    const { id, mutant, module } = one;
    const reason = equivalents.get(nameOf(mutant))?.reason;
    return {
      mutant,
      module: module.name,
      verdict: alive.has(id) || isSkipped(one) ? (verdicts.get(id) ?? "survived") : "killed",
      tests: recordings.filter(({ reached }) => reached.has(id)).length,
      ...(reason !== undefined && { reason }),
    };
  });
}
