import { Session } from "node:inspector";

/** Counts the steps of synchronous functions; `using` ends the counting, which slows down everything. */
export class StepCounter {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /**
   * How often V8 enters a function, a branch or the body of a loop. It is the same on every machine. Steps within
   * functions of V8 itself, such as `indexOf`, are not counted.
   */
  stepsOf(run: () => unknown): number {
    this.#take();
    run();
    return this.#take();
  }

  /** How many times as many steps an input of twice the size takes: 2 times if they are linear, 4 times if quadratic. */
  growthOf(run: (size: number) => unknown, size: number): number {
    // What is done once, such as filling a table, is not counted.
    run(1);
    const once = this.stepsOf(() => run(size));
    return this.stepsOf(() => run(2 * size)) / once;
  }

  [Symbol.dispose](): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  /** The steps since the last call. */
  #take(): number {
    let steps = 0;
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      for (const { functions } of answer.result) {
        for (const { ranges } of functions) for (const { count } of ranges) steps += count;
      }
    });
    return steps;
  }
}
