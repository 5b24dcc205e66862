// Runs in each worker: defines the function that the instrumented sources call, and tries mutants test by test.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject, type RunnerTestCase, TestRunner } from "vitest";
import { countStep, type SwitchState, tryMutants } from "./try-mutants.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The number of the mutant that is on in the whole run; 0 for none. */
    mutant: number;
    /** How many passes of loops that mutant may take. */
    mostSteps: number;
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
  /** The passes of loops without a mutant. */
  readonly steps: number;
}

const wholeRun = inject("mutant");
const candidates = new Set(inject("candidates"));
const reports = inject("reports");
const reached = new Set<number>();
/** The mutants that may yet fail this file: outside of tests, or in a test that cannot run once more. */
const undecided = new Set<number>();
const state: SwitchState = { on: wholeRun, isEffective: false, steps: 0, mostSteps: inject("mostSteps") };
/** The mutants that the current test has reached; those outside of tests are undecided. */
let reachedByTest = undecided;
let tried = 0;

/**
 * A test takes part only if it is this short, in milliseconds: it runs for every mutant that it reaches. Mostly its processor time
 * counts, which does not depend on what else the machine does.
 */
const longest = { processor: 500, clock: 3000 };

// The tool ends a worker that a mutant keeps busy for ever.
writeFileSync(join(reports, "worker"), String(process.pid));

Object.assign(globalThis, {
  __isMutantOn: (id: number): boolean => {
    if (state.on === 0) reachedByTest.add(id);
    if (id !== state.on) return false;
    state.isEffective = true;
    return true;
  },
  __countStep: (): void => countStep(state),
});

/** Runs every test once, and then again with each mutant that it has reached. */
// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a file as the runner.
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run: () => unknown = TestRunner.getTestFn(test);
    reachedByTest = new Set();
    const begin = performance.now();
    const usage = process.cpuUsage();
    try {
      await run();
    } finally {
      for (const id of reachedByTest) reached.add(id);
    }
    const milliseconds = performance.now() - begin;
    const { user, system } = process.cpuUsage(usage);
    const isShort = (user + system) / 1000 <= longest.processor && milliseconds <= longest.clock;
    const ids = [...reachedByTest].filter((id) => candidates.has(id));
    reachedByTest = undecided;
    if (ids.length === 0) return;
    const { steps } = state;
    const isRepeated = isShort && !test.concurrent;
    const trial = { run, mutants: ids, limit: 5000 + 5 * milliseconds, onTry, onKill };
    const decided = isRepeated ? await tryMutants(trial, state) : new Set<number>();
    state.steps = steps;
    writeFileSync(join(reports, "current"), "");
    for (const id of ids) if (!decided.has(id)) undecided.add(id);
    tried += performance.now() - begin - milliseconds;
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles();
    if (wholeRun !== 0) return;
    for (const id of undecided) reached.add(id);
    const report: FileReport = {
      reached: [...reached],
      undecided: [...undecided],
      tried,
      steps: state.steps,
    };
    writeFileSync(join(reports, "report"), JSON.stringify(report));
  }
}

/** The tool reads these files if a mutant ends the worker. */
function onTry(mutant: number): void {
  writeFileSync(join(reports, "current"), String(mutant));
}

function onKill(mutant: number): void {
  candidates.delete(mutant);
  appendFileSync(join(reports, "killed"), `${mutant}\n`);
}
