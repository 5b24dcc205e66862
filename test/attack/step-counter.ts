import { Session } from "node:inspector/promises";

/** The packages that read what clients send. */
const counted = /\/src\/|\/node_modules\/(protobufjs|@noble|re2js)\//;

/**
 * Counts the steps of the server: how often V8 enters each block of its source, such as the body of a loop. The number
 * does not depend on the machine. Native code, such as `indexOf` and regular expressions, is one step; the benchmark
 * `bench/attack.bench.ts` measures its time. Counts only what is imported after `start`.
 */
export class StepCounter {
  readonly #session = new Session();
  readonly #sources: RegExp;

  private constructor(sources: RegExp) {
    this.#sources = sources;
  }

  /** Starts to count in the sources whose addresses match. */
  static async start(sources: RegExp = counted): Promise<StepCounter> {
    const counter = new StepCounter(sources);
    counter.#session.connect();
    await counter.#session.post("Profiler.enable");
    await counter.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return counter;
  }

  /** The steps since the last call, or since the start. */
  async take(): Promise<number> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    let steps = 0;
    for (const { url, functions } of result) {
      if (!this.#sources.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    }
    return steps;
  }

  async stop(): Promise<void> {
    await this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }
}
