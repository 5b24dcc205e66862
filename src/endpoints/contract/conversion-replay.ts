import type { Awaitable } from "../../apimachinery/awaitable.ts";

/** Stops code that needs the result of a conversion which is still under way. */
class PendingConversion extends Error {
  readonly result: Promise<unknown>;

  constructor(result: Promise<unknown>) {
    super("the conversion is under way");
    this.result = result;
  }
}

interface Run {
  readonly results: unknown[];
  /** The number of conversions that the code has requested in this run. */
  requested: number;
}

/**
 * Lets synchronous code use asynchronous conversions. The code runs until it needs a result that is not
 * available, and runs again from the start when the result has arrived. So it must do the same in each run:
 *
 * | run | conversions           | outcome                   |
 * | --- | --------------------- | ------------------------- |
 * | 1   | a: pending            | stops, waits for a        |
 * | 2   | a: known, b: pending  | stops, waits for b        |
 * | 3   | a: known, b: known    | returns                   |
 */
export class ConversionReplay {
  #run: Run = { results: [], requested: 0 };

  /** Runs code that calls `convert`. Returns a promise only if a conversion returned one. */
  run<T>(code: () => T): Awaitable<T> {
    return this.#runWith(code, []);
  }

  /** The result of a conversion that `start` starts. Only code that `run` runs may call it. */
  convert<T>(start: () => Awaitable<T>): T {
    const run = this.#run;
    const index = run.requested++;
    // Each run requests the same conversions in the same order.
    if (index < run.results.length) return run.results[index] as T;
    const result = start();
    if (result instanceof Promise) throw new PendingConversion(result);
    run.results.push(result);
    return result;
  }

  #runWith<T>(code: () => T, results: unknown[]): Awaitable<T> {
    this.#run = { results, requested: 0 };
    try {
      return code();
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      return error.result.then((result) => this.#runWith(code, [...results, result]));
    }
  }
}
