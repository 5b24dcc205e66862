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

/** The time of a cluster, which a test can move. */
export interface ClusterClock extends Clock {
  /**
   * Moves the time forward, by milliseconds or by a duration such as `"5m"`. Whatever falls due on the way fires before
   * this returns, in order and at its own time; awaiting it also gives what was waiting for that a turn to go on.
   */
  advance(duration: number | string): Promise<void>;
  /** A clock of its own that shows the same time, for which nothing waits yet. */
  fork(): ClusterClock;
}

/** Beyond this the timers of every runtime wrap around and fire at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** What is due at once waits for its turn, which comes even while a test fakes its timers. */
const startTimeout = unfaked(globalThis.setTimeout, "setTimeout");
const stopTimeout = unfaked(globalThis.clearTimeout, "clearTimeout");

/**
 * What a test's fake timers stand in for; a function that is no fake is itself. Vitest and Jest share one kind of fakes:
 * each knows its `clock`, which keeps what it replaced under the name with a line before it.
 */
export function unfaked<F extends (...parameters: never[]) => unknown>(timer: F, name: string): F {
  const { clock } = timer as F & { clock?: { readonly [name: string]: unknown } };
  const replaced = clock?.[`_${name}`];
  // What had this name before is of its type.
  return typeof replaced === "function" ? (replaced as F) : timer;
}

/** Resolves when everything that is due now has had its turn, even while a test fakes its timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => startTimeout(resolve, 0));
}

/** What tells how much time has passed, by `performance` or what fakes it. */
type Stopwatch = typeof performance;

/** What rings when the next timer is due. */
interface Alarm {
  readonly at: number;
  /** What it was set with; a test may have put another in its place since. */
  readonly setBy: typeof setTimeout;
  readonly cancel: () => void;
}

/**
 * A time that runs with the world's, and can be moved ahead of it. Where a test fakes its timers, those are the world:
 * `Date` tells the time, and what waits fires as the fakes advance. Timers that were set before they were faked notice it
 * when somebody next asks for the time, as every request does.
 */
export class RunningClock implements ClusterClock {
  readonly #timers = new TimerHeap();
  /** How far it was moved ahead of the world. */
  #ahead: number;
  /** Timers go by a stopwatch, since dates jump. This and what it shows is the time that has passed for them. */
  #stopwatch: Stopwatch = globalThis.performance;
  #shift = 0;
  #alarm: Alarm | undefined;
  /** Whether it is being moved. */
  #isMoved = false;

  /** Runs so many milliseconds ahead of the world. */
  constructor(ahead = 0) {
    this.#ahead = ahead;
  }

  now(): number {
    if (this.#alarm !== undefined && !this.#isHeard(this.#alarm)) this.#setAlarm();
    return globalThis.Date.now() + this.#ahead;
  }

  after(milliseconds: number, callback: () => void): Timer {
    if (milliseconds <= 0) return soon(callback);
    const date = this.now() + milliseconds;
    const timer = this.#timers.add(this.#passed() + milliseconds, () => {
      if (this.#isMoved) this.#show(date);
      callback();
    });
    if (this.#alarm === undefined || timer.at < this.#alarm.at || !this.#isHeard(this.#alarm))
      this.#setAlarm();
    return {
      cancel: () => {
        this.#timers.remove(timer);
        if (this.#timers.next === undefined) this.#stopAlarm();
      },
    };
  }

  async advance(duration: number | string): Promise<void> {
    const target = this.#passed() + millisecondsOf(duration);
    this.#isMoved = true;
    try {
      for (let due = this.#timers.takeDue(target); due !== undefined; due = this.#timers.takeDue(target)) {
        this.#skipTo(due.at);
        due.callback();
      }
    } finally {
      this.#isMoved = false;
      this.#skipTo(target);
      this.#setAlarm();
    }
    await turn();
  }

  fork(): RunningClock {
    return new RunningClock(this.#ahead);
  }

  /** Moves ahead of the world, to this time of the timers; if it is there already, it stays. */
  #skipTo(at: number): void {
    const left = Math.max(0, at - this.#passed());
    this.#ahead += left;
    this.#shift += left;
  }

  /** Makes up for what dates are cut off: a part of a millisecond. What falls due at a date shall find it. */
  #show(date: number): void {
    const missing = date - this.now();
    if (missing > 0 && missing <= 1) this.#ahead += missing;
  }

  /** How much time has passed, as the timers count it. */
  #passed(): number {
    const { performance } = globalThis;
    if (performance !== this.#stopwatch) this.#takeStopwatch(performance);
    return performance.now() + this.#shift;
  }

  /** Goes on with another stopwatch. One that is a fake began when time was faked; what it shows has passed since. */
  #takeStopwatch(stopwatch: Stopwatch): void {
    const before = this.#stopwatch.now() + this.#shift;
    this.#stopwatch = stopwatch;
    this.#shift = isFake(stopwatch) ? before : before - stopwatch.now();
  }

  /** Has the next timer ring when it is due, by the timers of the world or by those that fake them. */
  #setAlarm(): void {
    this.#stopAlarm();
    const { next } = this.#timers;
    if (next === undefined) return;
    // Timers count whole milliseconds, and fakes fire at the very one.
    const left = Math.round(next.at - this.#passed());
    const { setTimeout, clearTimeout } = globalThis;
    const wait = Math.min(left, LONGEST_TIMEOUT);
    const at = next.at - (left - wait);
    const ring = (): void => this.#ring(at);
    const handle = left <= 0 ? startTimeout(ring, 0) : setTimeout(ring, wait);
    letProcessEnd(handle);
    const stop = left <= 0 ? stopTimeout : clearTimeout;
    this.#alarm = { at, setBy: setTimeout, cancel: () => stop(handle) };
  }

  /** Whether the timers that it was set with are still those of the world. */
  #isHeard({ setBy }: Alarm): boolean {
    return setBy === globalThis.setTimeout;
  }

  #stopAlarm(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  /** The alarm is right, whatever the stopwatch shows: a test may have faked the one and not the other. */
  #ring(at: number): void {
    this.#alarm = undefined;
    this.#shift += Math.max(0, at - this.#passed());
    const now = this.#passed();
    try {
      for (let due = this.#timers.takeDue(now); due !== undefined; due = this.#timers.takeDue(now))
        due.callback();
    } finally {
      this.#setAlarm();
    }
  }
}

/** Whether a stopwatch shows the time of a test's fake timers. */
function isFake(stopwatch: Stopwatch): boolean {
  const { clock } = globalThis.setTimeout as typeof setTimeout & { clock?: { performance?: Stopwatch } };
  return clock?.performance === stopwatch;
}

/** Calls back in a turn of its own, while no time passes. */
function soon(callback: () => void): Timer {
  const handle = startTimeout(callback, 0);
  letProcessEnd(handle);
  return { cancel: () => stopTimeout(handle) };
}

/** Timeouts of Node and its like keep the process alive unless they are told not to. Those of browsers are numbers. */
function letProcessEnd(handle: unknown): void {
  if (typeof handle !== "object" || handle === null || !("unref" in handle)) return;
  if (typeof handle.unref === "function") handle.unref();
}

/** A time that moves only when it is told to. */
export class VirtualClock implements ClusterClock {
  readonly #timers = new TimerHeap();
  #now: number;

  /**
   * Starts at `start`: milliseconds since the epoch, or a date such as `"2026-01-01T00:00:00Z"`.
   * @throws {RangeError} for an invalid date
   */
  constructor(start: number | string) {
    this.#now = typeof start === "number" ? start : Date.parse(start);
    if (Number.isNaN(this.#now)) throw new RangeError(`invalid start time: ${start}`);
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): Timer {
    if (milliseconds <= 0) return soon(callback);
    const timer = this.#timers.add(this.#now + milliseconds, callback);
    return { cancel: () => this.#timers.remove(timer) };
  }

  async advance(duration: number | string): Promise<void> {
    const target = this.#now + millisecondsOf(duration);
    for (let due = this.#timers.takeDue(target); due !== undefined; due = this.#timers.takeDue(target)) {
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = Math.max(this.#now, target);
    await turn();
  }

  fork(): VirtualClock {
    return new VirtualClock(this.#now);
  }
}

/** The duration in milliseconds. @throws {RangeError} if it is negative or not a number */
function millisecondsOf(duration: number | string): number {
  const milliseconds = typeof duration === "number" ? duration : parseDurationMilliseconds(duration);
  if (!(milliseconds >= 0)) throw new RangeError(`cannot advance the time by ${duration}`);
  return milliseconds;
}
