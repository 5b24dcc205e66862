import { parseDurationMilliseconds } from "./duration.ts";
import { TimerHeap } from "./timer-heap.ts";

/** A timer that has not fired yet can be taken back. */
export interface Timer {
  cancel(): void;
}

/** The only source of time. Everything that expires, waits or is stamped asks it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, `milliseconds` from now. Does not keep the process alive. */
  after(milliseconds: number, callback: () => void): Timer;
}

/** Beyond this the timers of every runtime wrap around and fire at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Kept, so that a test's fake timers do not stop ours. */
const { setTimeout: startTimeout, clearTimeout: stopTimeout } = globalThis;
const { now: systemNow } = Date;

/** The time of the machine. */
export function systemClock(): Clock {
  return { now: systemNow, after: startSystemTimer };
}

function startSystemTimer(milliseconds: number, callback: () => void): Timer {
  let left = Math.max(0, milliseconds);
  let handle: ReturnType<typeof setTimeout>;
  function wait(): void {
    const step = Math.min(left, LONGEST_TIMEOUT);
    left -= step;
    handle = startTimeout(left > 0 ? wait : callback, step);
    letProcessEnd(handle);
  }
  wait();
  return { cancel: () => stopTimeout(handle) };
}

/** Timeouts of Node and its like keep the process alive unless they are told not to. Those of browsers are numbers. */
function letProcessEnd(handle: unknown): void {
  if (typeof handle !== "object" || handle === null || !("unref" in handle)) return;
  if (typeof handle.unref === "function") handle.unref();
}

/** A time that moves only when it is told to. */
export class VirtualClock implements Clock {
  readonly #timers = new TimerHeap();
  #now: number;

  /** Starts at `start`, in milliseconds since the epoch. */
  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): Timer {
    // What is due at once does not wait for time to pass, only for its turn.
    if (milliseconds <= 0) return startSystemTimer(0, callback);
    const timer = this.#timers.add(this.#now + milliseconds, callback);
    return { cancel: () => this.#timers.remove(timer) };
  }

  /**
   * Moves the time forward, by milliseconds or by a duration such as `"5m"`. Whatever falls due on the way fires before
   * this returns, in order and at its own time; awaiting it also gives what was waiting for that a turn to go on.
   */
  async advance(duration: number | string): Promise<void> {
    const milliseconds = typeof duration === "number" ? duration : parseDurationMilliseconds(duration);
    if (!(milliseconds >= 0)) throw new RangeError(`time cannot move by ${duration}`);
    const target = this.#now + milliseconds;
    for (let due = this.#timers.takeDue(target); due !== undefined; due = this.#timers.takeDue(target)) {
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = Math.max(this.#now, target);
    await new Promise<void>((resolve) => startTimeout(resolve, 0));
  }
}
