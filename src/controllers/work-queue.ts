import type { Clock } from "../apimachinery/clock.ts";

const firstDelay = 5;
const longestDelay = 1_000_000;

/** Things to look at: each waits at most once, however often it was asked for. Failures come back later and later. */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #waiting = new Map<string, T>();
  readonly #failures = new Map<string, number>();
  #delayed = 0;

  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  /** How many wait now. */
  get size(): number {
    return this.#waiting.size;
  }

  /** How many come back by themselves. */
  get delayed(): number {
    return this.#delayed;
  }

  add(key: string, item: T): void {
    this.#waiting.set(key, item);
    this.#onReady();
  }

  /** The one that has waited longest. */
  take(): readonly [key: string, item: T] | undefined {
    for (const entry of this.#waiting) {
      this.#waiting.delete(entry[0]);
      return entry;
    }
    return undefined;
  }

  /** It went well: the next failure is the first again. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** It failed: it comes back after twice the time of the last failure. */
  retry(key: string, item: T): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#delayed += 1;
    this.#clock.after(Math.min(firstDelay * 2 ** failures, longestDelay), () => {
      this.#delayed -= 1;
      this.add(key, item);
    });
  }
}
