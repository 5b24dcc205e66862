import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { PluginOption, UserConfig } from "vite";
import { type CliOptions, createVitest, type Vitest } from "vitest/node";
import { fastCheckSeed } from "../fast-check-seed.mjs";
import { rawText } from "../raw-text.mjs";
import { findLoops } from "./find-loops.ts";
import { instrument, type Switch } from "./instrument.ts";
import type { FileReport } from "./mutant-runner.ts";
import { mostSteps } from "./try-mutants.ts";

/** What one test file did while no mutant was on. */
export interface Recording {
  readonly file: string;
  readonly milliseconds: number;
  /** The passes of loops in the modules. */
  readonly steps: number;
  readonly reached: ReadonlySet<number>;
  /** The reached mutants that may fail the file if they are on from its start. */
  readonly undecided: ReadonlySet<number>;
  /** The mutants that one of its tests killed, when it ran with each in the same worker. */
  readonly killed: readonly number[];
}

export type Verdict = "killed" | "timed out" | "survived";

/** One run of a test file. */
interface Run {
  readonly file: string;
  /** The mutant that is on, and how many passes of loops it may take. */
  readonly mutant?: number;
  readonly mostSteps?: number;
  readonly candidates?: readonly number[];
}

/** One long-living Vitest over the instrumented sources, with one worker. */
export class Runner {
  readonly #vitest: Vitest;
  readonly #reports: string;

  private constructor(vitest: Vitest, reports: string) {
    this.#vitest = vitest;
    this.#reports = reports;
  }

  /** `files` are the sources whose loops count; `seed` is what fast-check generates by. */
  static async start(switches: readonly Switch[], files: ReadonlySet<string>, seed: number): Promise<Runner> {
    const reports = mkdtempSync(join(tmpdir(), "mutants-"));
    const options: CliOptions = {
      config: false,
      watch: false,
      maxWorkers: 1,
      pool: "forks",
      // A test that runs again listens to its signal again, which Node takes for a leak.
      execArgv: ["--no-warnings"],
      env: { TEST_SEED: String(seed) },
      runner: resolve("tools/mutants/mutant-runner.ts"),
      provide: { mutant: 0, mostSteps: 0, candidates: [], reports },
      testTimeout: 30_000,
      hookTimeout: 30_000,
      // The first failure is enough.
      bail: 1,
      silent: true,
      reporters: [{}],
    };
    return new Runner(await createVitest("test", options, viteConfig(switches, files, seed)), reports);
  }

  /**
   * Runs a test file without a mutant, and its short tests with each of the candidates that they reach. Returns the name
   * of its first test that fails without one instead, if one does.
   */
  async record(file: string, candidates: readonly number[]): Promise<Recording | string> {
    const begin = performance.now();
    this.#clear();
    const watchdog = this.#watch();
    const failure = await this.#run({ file, candidates });
    clearInterval(watchdog);
    const killed = numbersIn(this.#report("killed"));
    const text = this.#report("report");
    // What a mutant leaves behind may fail later, outside of tests.
    if (text !== "" && (failure === undefined || (failure === outsideOfTests && candidates.length > 0))) {
      const { reached, undecided, tried, steps }: FileReport = JSON.parse(text);
      const milliseconds = performance.now() - begin - tried;
      return { file, milliseconds, steps, reached: new Set(reached), undecided: new Set(undecided), killed };
    }
    if (candidates.length === 0) return failure ?? "it reports nothing";
    // A mutant ended the worker, or one of them left something behind that made another test fail.
    const [ended] = numbersIn(this.#report("current"));
    const others = candidates.filter((id) => id !== ended && !killed.includes(id));
    const again = await this.record(file, ended === undefined ? [] : others);
    if (typeof again === "string") return again;
    const undecided = new Set([...again.undecided, ...(ended === undefined ? [] : [ended])]);
    return { ...again, undecided, killed: [...killed, ...again.killed] };
  }

  /**
   * The verdicts about those of the mutants that a test file kills: it fails twice with each, and passes between without
   * one, since the machine may be busy.
   */
  async judge(ids: readonly number[], test: Recording): Promise<ReadonlyMap<number, Verdict>> {
    const failed = await this.#failures(ids, test);
    if (failed.size === 0 || (await this.#runInTime(0, test)) !== "survived") return new Map();
    return this.#failures([...failed.keys()], test);
  }

  async #failures(ids: readonly number[], test: Recording): Promise<ReadonlyMap<number, Verdict>> {
    const failed = new Map<number, Verdict>();
    for (const id of ids) {
      const verdict = await this.#runInTime(id, test);
      if (verdict !== "survived") failed.set(id, verdict);
    }
    return failed;
  }

  async #runInTime(mutant: number, { file, milliseconds, steps }: Recording): Promise<Verdict> {
    let isTimedOut = false;
    const endLateWorker = () => {
      isTimedOut = true;
      this.#endWorker();
    };
    const watchdog = setTimeout(endLateWorker, patience + 5 * milliseconds);
    const failure = await this.#run({ file, mutant, mostSteps: mostSteps(steps) });
    clearTimeout(watchdog);
    if (isTimedOut) return "timed out";
    return failure === undefined ? "survived" : "killed";
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    rmSync(this.#reports, { recursive: true, force: true });
  }

  /** The first failure of a test file; undefined if there is none. */
  async #run({ file, mutant = 0, mostSteps = 0, candidates = [] }: Run): Promise<string | undefined> {
    const project = this.#vitest.getRootProject();
    project.provide("mutant", mutant);
    project.provide("mostSteps", mostSteps);
    project.provide("candidates", candidates);
    const specification = project.createSpecification(resolve(file));
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification]);
    // The result holds the modules of all runs.
    const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
    if (unhandledErrors.length > 0) return outsideOfTests;
    if (module === undefined) return "it did not run";
    if (module.state() !== "failed") return undefined;
    const failed = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
    return failed[0] ?? module.errors()[0]?.message ?? "it could not be loaded";
  }

  #report(name: string): string {
    const file = join(this.#reports, name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  #clear(): void {
    for (const name of ["current", "killed", "report"]) rmSync(join(this.#reports, name), { force: true });
  }

  /** Ends the worker when it has been busy with one mutant for too long. */
  #watch(): NodeJS.Timeout {
    let seen = "";
    let since = performance.now();
    return setInterval(() => {
      const current = this.#report("current");
      if (current !== seen) [seen, since] = [current, performance.now()];
      if (seen !== "" && performance.now() - since > patience) this.#endWorker();
    }, 1000);
  }

  /** A mutant may keep the worker busy for ever. */
  #endWorker(): void {
    try {
      process.kill(Number(readFileSync(join(this.#reports, "worker"), "utf8")), "SIGKILL");
    } catch {
      // The worker has ended meanwhile.
    }
  }
}

const outsideOfTests = "an error outside of tests";

function numbersIn(lines: string): readonly number[] {
  return lines.split("\n").filter(Boolean).map(Number);
}

/** The milliseconds that a test file may take beside five times its usual duration. */
const patience = 20_000;

/** Its type is a plain one: comparing the types of Vite's and rolldown's plugins is too deep for the compiler. */
function viteConfig(switches: readonly Switch[], files: ReadonlySet<string>, seed: number): UserConfig {
  const plugins: unknown[] = [rawText(), fastCheckSeed(seed), instrumented(switches, files)];
  return { plugins: plugins as PluginOption[], logLevel: "error" };
}

/** A plugin of Vite that puts the switches into the sources. */
function instrumented(switches: readonly Switch[], files: ReadonlySet<string>) {
  const byFile = new Map<string, Switch[]>();
  for (const one of switches) byFile.set(one.mutant.file, [...(byFile.get(one.mutant.file) ?? []), one]);
  return {
    name: "mutants",
    enforce: "pre" as const,
    transform(source: string, id: string) {
      const file = relative(process.cwd(), id);
      if (!files.has(file)) return undefined;
      const found = byFile.get(file) ?? [];
      return { code: instrument(source, found, findLoops(file, source)), map: null };
    },
  };
}
