import type { Clock, Timer } from "../apimachinery/clock.ts";

const firstDelay = 5;
const longestDelay = 1_000_000;

/** Things to look at: each waits at most once, however often it was asked for. Failures come back later and later. */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #waiting = new Map<string, T>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
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

  /** It went well: it does not come back by itself, and the next failure is the first again. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  /** Nothing comes back any more. */
  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** It failed: it comes back after twice the time of the last failure. */
  retry(key: string, item: T): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, item, Math.min(firstDelay * 2 ** failures, longestDelay));
  }

  /** It comes back after some milliseconds. The last word about a key stands. */
  addAfter(key: string, item: T, milliseconds: number): void {
    this.#timers.get(key)?.cancel();
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.delete(key);
      this.add(key, item);
    });
    this.#timers.set(key, timer);
  }
}
