import type { Clock, Timer } from "../apimachinery/clock.ts";

const firstDelay = 5;
const longestDelay = 1_000_000;

/** A key that waits in a queue. */
export interface QueuedKey<T> {
  readonly key: string;
  readonly item: T;
  /** When its delay is over, in milliseconds since the epoch; undefined for a key without one. */
  readonly due: number | undefined;
  /** How often it has failed since its last success. */
  readonly failures: number;
}

interface Delayed<T> {
  readonly item: T;
  readonly due: number;
  readonly timer: Timer;
}

/** Counts what happens to the keys of a queue. */
export interface QueueObserver<T> {
  /** A key enters, or waits already. */
  readonly added: (key: string, item: T) => void;
  readonly taken: (key: string) => void;
  /** A key that was taken comes again later, since its work has failed. */
  readonly retried: (key: string) => void;
  /** A key leaves without being taken. */
  readonly dropped: (key: string) => void;
}

/**
 * A queue that holds each key at most once. Failed keys return with increasing delays. Upstream:
 * `workqueue.RateLimitingInterface`.
 */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #observer: QueueObserver<T> | undefined;
  readonly #waiting = new Map<string, T>();
  readonly #failures = new Map<string, number>();
  readonly #delayed = new Map<string, Delayed<T>>();

  constructor(clock: Clock, onReady: () => void, observer?: QueueObserver<T>) {
    this.#clock = clock;
    this.#onReady = onReady;
    this.#observer = observer;
  }

  add(key: string, item: T): void {
    this.#waiting.set(key, item);
    this.#observer?.added(key, item);
    this.#onReady();
  }

  /** Removes and returns the oldest item. */
  take(): readonly [key: string, item: T] | undefined {
    for (const entry of this.#waiting) {
      this.#waiting.delete(entry[0]);
      this.#observer?.taken(entry[0]);
      return entry;
    }
    return undefined;
  }

  /** Resets the delay of a key after a success. */
  forget(key: string): void {
    this.#failures.delete(key);
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }

  /** Drops all keys. */
  clear(): void {
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    for (const key of this.#waiting.keys()) this.#observer?.dropped(key);
    this.#waiting.clear();
    this.#failures.clear();
  }

  /** All keys, the waiting ones first. */
  keys(): readonly QueuedKey<T>[] {
    const failuresOf = (key: string) => this.#failures.get(key) ?? 0;
    return [
      ...[...this.#waiting].map(([key, item]) => ({ key, item, due: undefined, failures: failuresOf(key) })),
      ...[...this.#delayed].map(([key, { item, due }]) => ({ key, item, due, failures: failuresOf(key) })),
    ];
  }

  /** Adds a key of another queue, with what is left of its delay. */
  resume({ key, item, due, failures }: QueuedKey<T>): void {
    if (failures > 0) this.#failures.set(key, failures);
    if (due === undefined) this.add(key, item);
    else this.addAfter(key, item, Math.max(0, due - this.#clock.now()));
  }

  /** Adds a key again after twice the delay of its last failure. */
  retry(key: string, item: T): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#observer?.retried(key);
    this.addAfter(key, item, Math.min(firstDelay * 2 ** failures, longestDelay));
  }

  /** Adds a key after some milliseconds; at once if there are none. A later call replaces an earlier one. */
  addAfter(key: string, item: T, milliseconds: number): void {
    this.#delayed.get(key)?.timer.cancel();
    // Keys that are due at the same time come in the order of these calls, also in a queue that resumes them.
    this.#delayed.delete(key);
    if (milliseconds <= 0) {
      this.add(key, item);
      return;
    }
    const timer = this.#clock.after(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key, item);
    });
    this.#delayed.set(key, { item, due: this.#clock.now() + milliseconds, timer });
  }
}
