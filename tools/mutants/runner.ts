import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { PluginOption, UserConfig } from "vite";
import { createVitest, type Reporter, type TestModule, type Vitest } from "vitest/node";
import { rawText } from "../raw-text.mjs";
import { instrument, type Switch } from "./instrument.ts";
import { testFiles } from "./test-files.ts";

/** What one test file did while no mutant was on. */
export interface Recording {
  readonly file: string;
  readonly milliseconds: number;
  readonly reached: ReadonlySet<number>;
}

export type Verdict = "killed" | "timed out" | "survived";

/** One long-living Vitest over the instrumented sources. */
export class Runner {
  readonly #vitest: Vitest;
  readonly #reports: string;
  readonly #watchdog: Watchdog;

  private constructor(vitest: Vitest, reports: string, watchdog: Watchdog) {
    this.#vitest = vitest;
    this.#reports = reports;
    this.#watchdog = watchdog;
  }

  /** `bail` ends a run at its first failure. */
  static async start(
    switches: readonly Switch[],
    options: { readonly bail: 0 | 1; readonly workers: number },
  ) {
    const reports = mkdtempSync(join(tmpdir(), "mutants-"));
    const watchdog = new Watchdog(join(reports, "worker"));
    const vitest = await createVitest(
      "test",
      {
        config: false,
        watch: false,
        bail: options.bail,
        maxWorkers: options.workers,
        pool: "forks",
        include: [...testFiles.include],
        exclude: [...testFiles.exclude],
        setupFiles: [resolve("tools/mutants/switches.ts")],
        provide: { mutant: 0, reports },
        testTimeout: 30_000,
        hookTimeout: 30_000,
        silent: true,
        reporters: [watchdog.reporter],
        sequence: { sequencer: InGivenOrder },
      },
      viteConfig(switches),
    );
    return new Runner(vitest, reports, watchdog);
  }

  /** Runs all test files without a mutant. Throws an Error if a test fails. */
  async record(): Promise<readonly Recording[]> {
    const files = await this.#vitest.globTestSpecifications();
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(files);
    const failed = testModules.filter((module) => module.state() === "failed").map(pathOf);
    if (failed.length > 0 || unhandledErrors.length > 0) {
      throw new Error(`without a mutant these fail: ${failed.join(", ")} ${unhandledErrors.map(String)}`);
    }
    const reached = this.#reached();
    return testModules.map((module) => ({
      file: pathOf(module),
      milliseconds: durationOf(module),
      reached: reached.get(module.moduleId) ?? new Set(),
    }));
  }

  /** Runs test files in this order until one fails with the mutant on. */
  async judge(id: number, files: readonly Recording[]): Promise<Verdict> {
    const project = this.#vitest.getRootProject();
    project.provide("mutant", id);
    this.#watchdog.expect(new Map(files.map(({ file, milliseconds }) => [file, milliseconds])));
    const specifications = files.map(({ file }) => project.createSpecification(resolve(file)));
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
    if (this.#watchdog.hasBitten) return "timed out";
    const isKilled = unhandledErrors.length > 0 || testModules.some((module) => module.state() === "failed");
    return isKilled ? "killed" : "survived";
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    rmSync(this.#reports, { recursive: true, force: true });
  }

  #reached(): ReadonlyMap<string, ReadonlySet<number>> {
    const found = new Map<string, ReadonlySet<number>>();
    for (const name of readdirSync(this.#reports).filter((report) => report.endsWith(".json"))) {
      const { file, reached } = JSON.parse(readFileSync(join(this.#reports, name), "utf8"));
      found.set(file, new Set<number>(reached));
    }
    return found;
  }
}

/** Ends the worker of a test file that takes far longer than without a mutant: a mutant may loop for ever. */
class Watchdog {
  hasBitten = false;
  #timer: NodeJS.Timeout | undefined;
  #expected: ReadonlyMap<string, number> = new Map();
  readonly #pidFile: string;

  constructor(pidFile: string) {
    this.#pidFile = pidFile;
  }

  expect(milliseconds: ReadonlyMap<string, number>): void {
    this.hasBitten = false;
    this.#expected = milliseconds;
  }

  get reporter(): Reporter {
    return {
      onTestModuleQueued: (module) => this.#watch(module),
      onTestRunEnd: () => clearTimeout(this.#timer),
    };
  }

  #watch(module: TestModule): void {
    clearTimeout(this.#timer);
    const expected = this.#expected.get(pathOf(module));
    if (expected === undefined) return;
    this.#timer = setTimeout(() => this.#bite(), 20_000 + 5 * expected);
  }

  #bite(): void {
    this.hasBitten = true;
    try {
      process.kill(Number(readFileSync(this.#pidFile, "utf8")), "SIGKILL");
    } catch {
      // The worker has ended meanwhile.
    }
  }
}

/** Its type is a plain one: comparing the types of Vite's and rolldown's plugins is too deep for the compiler. */
function viteConfig(switches: readonly Switch[]): UserConfig {
  const plugins: unknown[] = [rawText(), switchesIn(switches)];
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

/** The files that kill most mutants come first. */
class InGivenOrder {
  async shard<T>(files: T[]): Promise<T[]> {
    return files;
  }

  async sort<T>(files: T[]): Promise<T[]> {
    return files;
  }
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

function durationOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
}
