import { hasFakeTimers, turn } from "../../apimachinery/clock.ts";

/** The event loop turns after so many steps. */
const turnEvery = 200;

/**
 * Lets the event loop turn between the steps of long work, so that the timeout of a test can end it. Where a test fakes its timers, the work goes
 * on: the time does not wait for it there.
 */
export class EventLoopTurns {
  #steps = 0;

  /** What the next step waits for; mostly nothing. */
  next(): Promise<void> | undefined {
    this.#steps += 1;
    return this.#steps % turnEvery === 0 && !hasFakeTimers() ? turn() : undefined;
  }
}
