// Runs in each worker: defines the function that the instrumented sources call, and tries mutants test by test.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject, type RunnerTestCase, TestRunner } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The number of the mutant that is on in the whole run; 0 for none. */
    mutant: number;
    /** The mutants to try if none is on in the whole run. */
    candidates: readonly number[];
    /** The folder for what a worker reports. */
    reports: string;
  }
}

/** What a worker reports about a file. */
export interface FileReport {
  readonly reached: readonly number[];
  readonly undecided: readonly number[];
  /** The milliseconds that mutants took. */
  readonly tried: number;
}

type Run = () => unknown;

const wholeRun = inject("mutant");
const candidates = new Set(inject("candidates"));
const reports = inject("reports");
const reached = new Set<number>();
/** The mutants that may yet fail this file: outside of tests, or in a test that cannot run once more. */
const undecided = new Set<number>();
/** The mutant that is on, and whether its code has run since. */
let on = wholeRun;
let isEffective = false;
/** The mutants that the current test has reached; those outside of tests are undecided. */
let reachedByTest = undecided;
let tried = 0;

/** A test takes part only if it is this short: it runs once for every mutant that it reaches. */
const longest = 500;

// Tests may replace the timers.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

// The tool ends a worker that a mutant keeps busy for ever.
writeFileSync(join(reports, "worker"), String(process.pid));

Object.assign(globalThis, {
  __isMutantOn: (id: number): boolean => {
    if (on === 0) reachedByTest.add(id);
    if (id !== on) return false;
    isEffective = true;
    return true;
  },
});

/** Runs every test once, and then again with each mutant that it has reached. */
// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a file as the runner.
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run: Run = TestRunner.getTestFn(test);
    reachedByTest = new Set();
    const begin = performance.now();
    try {
      await run();
    } finally {
      for (const id of reachedByTest) reached.add(id);
    }
    const milliseconds = performance.now() - begin;
    const ids = [...reachedByTest].filter((id) => candidates.has(id));
    reachedByTest = undecided;
    if (ids.length === 0) return;
    const isRepeated = milliseconds <= longest && !test.concurrent;
    const decided = isRepeated ? await tryMutants(run, ids, milliseconds) : new Set<number>();
    writeFileSync(join(reports, "current"), "");
    for (const id of ids) if (!decided.has(id)) undecided.add(id);
    tried += performance.now() - begin - milliseconds;
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles();
    if (wholeRun !== 0) return;
    for (const id of undecided) reached.add(id);
    const report: FileReport = { reached: [...reached], undecided: [...undecided], tried };
    writeFileSync(join(reports, "report"), JSON.stringify(report));
  }
}

/**
 * Runs a test with each of these mutants, and returns those that it decides. It kills a mutant if it fails with it, and passes
 * before and after without one. A test that cannot be repeated decides nothing.
 */
async function tryMutants(
  run: Run,
  ids: readonly number[],
  milliseconds: number,
): Promise<ReadonlySet<number>> {
  const limit = 5000 + 5 * milliseconds;
  const decided = new Set<number>();
  if ((await outcome(run, 0, limit)) !== "passes") return decided;
  for (const id of ids) {
    writeFileSync(join(reports, "current"), String(id));
    const result = await outcome(run, id, limit);
    // What is remembered from the first run hides a mutant.
    if (isEffective && result === "passes") decided.add(id);
    if (result === "passes") continue;
    if (result === "hangs" || (await outcome(run, 0, limit)) !== "passes") return decided;
    decided.add(id);
    candidates.delete(id);
    appendFileSync(join(reports, "killed"), `${id}\n`);
  }
  return decided;
}

async function outcome(run: Run, id: number, limit: number): Promise<"passes" | "fails" | "hangs"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hangs">((resolve) => {
    timer = startTimer(() => resolve("hangs"), limit);
  });
  on = id;
  isEffective = false;
  try {
    return await Promise.race([passes(run), late]);
  } finally {
    on = 0;
    stopTimer(timer);
  }
}

async function passes(run: Run): Promise<"passes" | "fails"> {
  try {
    await run();
    return "passes";
  } catch {
    return "fails";
  }
}
