import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PluginOption, UserConfig } from "vite";
import { type CliOptions, createVitest, type Vitest } from "vitest/node";
import { fastCheckSeed } from "../fast-check-seed.mjs";
import { rawText } from "../raw-text.mjs";
import { instrument, type Switch } from "./instrument.ts";

/** What one test file did while no mutant was on. */
export interface Recording {
  readonly file: string;
  readonly milliseconds: number;
  readonly reached: ReadonlySet<number>;
}

export type Verdict = "killed" | "timed out" | "survived";

/** One long-living Vitest over the instrumented sources, with one worker. */
export class Runner {
  readonly #vitest: Vitest;
  readonly #reports: string;

  private constructor(vitest: Vitest, reports: string) {
    this.#vitest = vitest;
    this.#reports = reports;
  }

  /** `seed` is what fast-check generates by. */
  static async start(switches: readonly Switch[], seed: number): Promise<Runner> {
    const reports = mkdtempSync(join(tmpdir(), "mutants-"));
    const options: CliOptions = {
      config: false,
      watch: false,
      maxWorkers: 1,
      pool: "forks",
      env: { TEST_SEED: String(seed) },
      setupFiles: [resolve("tools/mutants/switches.ts")],
      provide: { mutant: 0, reports },
      testTimeout: 30_000,
      hookTimeout: 30_000,
      silent: true,
      reporters: [{}],
    };
    return new Runner(await createVitest("test", options, viteConfig(switches, seed)), reports);
  }

  /** Runs a test file without a mutant. Returns the name of its first test that fails instead, if one does. */
  async record(file: string): Promise<Recording | string> {
    const begin = performance.now();
    const failure = await this.#run(0, file);
    if (failure !== undefined) return failure;
    const reached = JSON.parse(readFileSync(join(this.#reports, "reached"), "utf8"));
    return { file, milliseconds: performance.now() - begin, reached: new Set<number>(reached) };
  }

  /** Runs test files in this order until one fails with the mutant on. */
  async judge(id: number, tests: readonly Recording[]): Promise<Verdict> {
    for (const { file, milliseconds } of tests) {
      let isTimedOut = false;
      const watchdog = setTimeout(
        () => {
          isTimedOut = true;
          this.#endWorker();
        },
        patience + 5 * milliseconds,
      );
      const failure = await this.#run(id, file);
      clearTimeout(watchdog);
      if (isTimedOut) return "timed out";
      if (failure !== undefined) return "killed";
    }
    return "survived";
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    rmSync(this.#reports, { recursive: true, force: true });
  }

  /** The first failure of a test file; undefined if there is none. */
  async #run(id: number, file: string): Promise<string | undefined> {
    const project = this.#vitest.getRootProject();
    project.provide("mutant", id);
    const specification = project.createSpecification(resolve(file));
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification]);
    // The result holds the modules of all runs.
    const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
    if (unhandledErrors.length > 0) return "an error outside of tests";
    if (module === undefined) return "it did not run";
    if (module.state() !== "failed") return undefined;
    const failed = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
    return failed[0] ?? module.errors()[0]?.message ?? "it could not be loaded";
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

/** The milliseconds that a test file may take beside five times its usual duration. */
const patience = 20_000;

/** Its type is a plain one: comparing the types of Vite's and rolldown's plugins is too deep for the compiler. */
function viteConfig(switches: readonly Switch[], seed: number): UserConfig {
  const plugins: unknown[] = [rawText(), fastCheckSeed(seed), switchesIn(switches)];
  return { plugins: plugins as PluginOption[], logLevel: "error" };
}

/** A plugin of Vite that puts the switches into the sources. */
function switchesIn(switches: readonly Switch[]) {
  const byFile = new Map<string, Switch[]>();
  for (const one of switches) {
    const file = resolve(one.mutant.file);
    byFile.set(file, [...(byFile.get(file) ?? []), one]);
  }
  return {
    name: "mutants",
    enforce: "pre" as const,
    transform(source: string, id: string) {
      const found = byFile.get(id);
      return found && { code: instrument(source, found), map: null };
    },
  };
}
