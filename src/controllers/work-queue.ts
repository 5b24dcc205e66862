import type { Clock, Timer } from "../apimachinery/clock.ts";

const firstDelay = 5;
const longestDelay = 1_000_000;

/**
 * A queue that holds each key at most once. Failed keys return with increasing delays. Upstream:
 * `workqueue.RateLimitingInterface`.
 */
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

  /** Removes and returns the oldest item. */
  take(): readonly [key: string, item: T] | undefined {
    for (const entry of this.#waiting) {
      this.#waiting.delete(entry[0]);
      return entry;
    }
    return undefined;
  }

  /** Resets the delay of a key after a success. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  /** Drops everything that waits for its delay. */
  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** Adds a key again after twice the delay of its last failure. */
  retry(key: string, item: T): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, item, Math.min(firstDelay * 2 ** failures, longestDelay));
  }

  /** Adds a key after some milliseconds. A later call replaces an earlier one. */
  addAfter(key: string, item: T, milliseconds: number): void {
    this.#timers.get(key)?.cancel();
    const timer = this.#clock.after(milliseconds, () => {
      this.#timers.delete(key);
      this.add(key, item);
    });
    this.#timers.set(key, timer);
  }
}
