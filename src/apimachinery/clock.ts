import { parseDurationMilliseconds } from "./duration.ts";
import { TimerHeap } from "./timer-heap.ts";

/** A timer that can be canceled until it fires. */
export interface Timer {
  cancel(): void;
}

/** The only source of time: expiry, delays and timestamps all use it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, after this number of milliseconds. Does not keep the process alive. */
  after(milliseconds: number, callback: () => void): Timer;
  /**
   * Work that `advance` waits for, by who does it; undefined for something that waits for a timer. As that may be what keeps
   * work from its end, the time goes on after a turn of the event loop then.
   */
  readonly works?: Works;
}

/** What `advance` waits for, by who does it. */
export type Works = Map<object, Promise<void> | undefined>;

/** The clock of a cluster, which a test can advance. */
export interface ClusterClock extends Clock {
  /**
   * Advances the time, by milliseconds or by a duration such as `"5m"`. Timers that fall due fire in order, each at
   * its own time. Controllers finish what they have to do before the time goes on; while they are idle, it does so before the call
   * returns. The promise resolves after the tasks that the timers started had a turn of the event loop.
   */
  advance(duration: number | string): Promise<void>;
  /** An independent clock that shows the same time and has no timers. */
  fork(): ClusterClock;
}

/** The longest timeout of the runtimes; longer ones overflow and fire immediately. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** The real timers, which work even while a test fakes them. */
const startTimeout = unfaked(globalThis.setTimeout, "setTimeout");
const stopTimeout = unfaked(globalThis.clearTimeout, "clearTimeout");

/**
 * The function that a test's fake timer replaces; a timer that is not fake is returned as it is. Vitest and Jest both
 * use `@sinonjs/fake-timers`: each fake has a property `clock`, which keeps the original function under its name with
 * a leading underscore.
 */
export function unfaked<F extends (...parameters: never[]) => unknown>(timer: F, name: string): F {
  const { clock } = timer as F & { clock?: { readonly [name: string]: unknown } };
  const replaced = clock?.[`_${name}`];
  // The replaced function has the type of its replacement.
  return typeof replaced === "function" ? (replaced as F) : timer;
}

/** Whether a test fakes its timers at present. */
export function hasFakeTimers(): boolean {
  return globalThis.setTimeout !== startTimeout;
}

/** Resolves after everything that is due has run, even while a test fakes its timers. */
export function turn(): Promise<void> {
  return new Promise((resolve) => startTimeout(resolve, 0));
}

/**
 * Calls back after this time has really passed, even while a test fakes its timers: for limits on how long a test waits.
 * Keeps the process alive.
 */
export function realTimeout(milliseconds: number, callback: () => void): Timer {
  const handle = startTimeout(callback, Math.min(milliseconds, LONGEST_TIMEOUT));
  return { cancel: () => stopTimeout(handle) };
}

/** The timers of a clock, and the work that it waits for in between. */
class Timers extends TimerHeap {
  readonly works: Works = new Map();
  /** How many calls of `pass` are calling timers back: a timer may advance the time. */
  firing = 0;
  #end = 0;

  /** When a call of `advance` ends: calls add up while they wait for work, and a call by a timer counts from the time of the timer. */
  endOf(now: number, duration: number): number {
    const time = duration + (this.firing > 0 ? now : Math.max(now, this.#end));
    this.#end = Math.max(this.#end, time);
    return time;
  }

  /** Lets the time go on, from one timer to the next, with `show`; waits for work before each step and at the end. */
  async pass(time: number, show: (at: number) => void): Promise<void> {
    for (let at = -Infinity; ; ) {
      for (let all = this.#all(); all.some(Boolean); all = all.includes(undefined) ? [] : this.#all())
        await Promise.race([turn(), Promise.all(all)]);
      if (at === time) return;
      at = Math.min(this.next?.at ?? time, time);
      show(at);
      this.firing++;
      try {
        this.fire(at);
      } finally {
        this.firing--;
      }
    }
  }

  #all(): readonly (Promise<void> | undefined)[] {
    return [...this.works.values()];
  }
}

/** Measures elapsed time: `performance`, or that of a test's fake timers. */
interface Stopwatch {
  now(): number;
}

/** The runtime's timeout for the next timer. */
interface Alarm {
  readonly at: number;
  /** The `setTimeout` that started it; a test may have replaced it since. */
  readonly setBy: typeof setTimeout;
  readonly cancel: () => void;
}

/**
 * A clock that runs with real time and can be advanced ahead of it. Where a test fakes its timers, the clock follows
 * the fakes: `Date` gives the time, and timers fire as the fakes advance. Timers that were set before the test
 * installed its fakes move to the fakes with the next call of `now`, which every request makes.
 */
export class RunningClock implements ClusterClock {
  readonly #timers = new Timers();
  readonly works: Works = this.#timers.works;
  /** How many milliseconds the clock is ahead of real time. */
  #ahead: number;
  /** Timers use a stopwatch because dates can jump. The elapsed time is the sum of both. */
  #stopwatch: Stopwatch = globalThis.performance;
  #shift = 0;
  #alarm: Alarm | undefined;

  /** Starts `ahead` milliseconds ahead of real time. */
  constructor(ahead = 0) {
    this.#ahead = ahead;
  }

  now(): number {
    if (this.#alarm !== undefined && !this.#isHeard(this.#alarm)) this.#setAlarm();
    return globalThis.Date.now() + this.#ahead;
  }

  after(milliseconds: number, callback: () => void): Timer {
    if (milliseconds <= 0) return callSoon(callback);
    const date = this.now() + milliseconds;
    const timer = this.#timers.add(this.#passed() + milliseconds, () => {
      if (this.#timers.firing > 0) this.#show(date);
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
    const target = this.#timers.endOf(this.#passed(), millisecondsOf(duration));
    try {
      await this.#timers.pass(target, (at) => this.#skipTo(at));
    } finally {
      this.#skipTo(target);
      this.#setAlarm();
    }
    await turn();
  }

  fork(): RunningClock {
    return new RunningClock(this.#ahead);
  }

  /** Advances to a time of the timers, unless that has passed. */
  #skipTo(at: number): void {
    const left = Math.max(0, at - this.#passed());
    this.#ahead += left;
    this.#shift += left;
  }

  /**
   * Adds the fraction of a millisecond that a date lacks, so that a timer's callback does not see a time before its
   * due date.
   */
  #show(date: number): void {
    const missing = date - this.now();
    if (missing > 0 && missing <= 1) this.#ahead += missing;
  }

  /** The elapsed time, in the scale of the timers. */
  #passed(): number {
    const fake = fakeStopwatch();
    const stopwatch = fake ?? globalThis.performance;
    if (stopwatch !== this.#stopwatch) this.#takeStopwatch(stopwatch, stopwatch === fake);
    return stopwatch.now() + this.#shift;
  }

  /** Switches to another stopwatch. A fake one starts at zero when the test installs it, so only its future counts. */
  #takeStopwatch(stopwatch: Stopwatch, isFake: boolean): void {
    const before = this.#stopwatch.now() + this.#shift;
    this.#stopwatch = stopwatch;
    this.#shift = isFake ? before : before - stopwatch.now();
  }

  /** Starts the timeout for the next timer, with the real or the faked `setTimeout`. */
  #setAlarm(): void {
    this.#stopAlarm();
    const { next } = this.#timers;
    if (next === undefined) return;
    // Timeouts count whole milliseconds, and fakes fire at exactly that time.
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

  /** Whether the `setTimeout` that started it is still the global one. */
  #isHeard({ setBy }: Alarm): boolean {
    return setBy === globalThis.setTimeout;
  }

  #stopAlarm(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  /** Fires what is due. The timeout is right even if the stopwatch disagrees: a test may fake one and not the other. */
  #ring(at: number): void {
    this.#alarm = undefined;
    this.#shift += Math.max(0, at - this.#passed());
    try {
      this.#timers.fire(this.#passed());
    } finally {
      this.#setAlarm();
    }
  }
}

/** Measures how far a test's fake timers have advanced, whether or not the test fakes `performance`, too. */
function fakeStopwatch(): Stopwatch | undefined {
  return (globalThis.setTimeout as typeof setTimeout & { clock?: { performance?: Stopwatch } }).clock
    ?.performance;
}

/** Calls back in a separate turn of the event loop, without a delay. */
function callSoon(callback: () => void): Timer {
  const handle = startTimeout(callback, 0);
  letProcessEnd(handle);
  return { cancel: () => stopTimeout(handle) };
}

/** Lets the process end while the timeout is pending. Node has `unref` for that; timeouts of browsers are numbers. */
function letProcessEnd(handle: object | number): void {
  (handle as { readonly unref?: () => void }).unref?.();
}

/** A clock that only `advance` moves. */
export class VirtualClock implements ClusterClock {
  readonly #timers = new Timers();
  readonly works: Works = this.#timers.works;
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
    if (milliseconds <= 0) return callSoon(callback);
    const timer = this.#timers.add(this.#now + milliseconds, callback);
    return { cancel: () => this.#timers.remove(timer) };
  }

  async advance(duration: number | string): Promise<void> {
    await this.#timers.pass(this.#timers.endOf(this.#now, millisecondsOf(duration)), (at) => {
      this.#now = Math.max(this.#now, at);
    });
    await turn();
  }

  fork(): VirtualClock {
    return new VirtualClock(this.#now);
  }
}

/** The milliseconds to advance. @throws {RangeError} for anything but a duration that is not negative */
function millisecondsOf(duration: number | string): number {
  const milliseconds = typeof duration === "string" ? parseDurationMilliseconds(duration) : duration;
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new RangeError(
    `cannot advance the time by ${String(duration)}: use milliseconds, or text such as "5m"`,
  );
}
