import type { Memory } from "../../controllers/controller-memory.ts";

/** Names new Events after their objects, with the time in hexadecimal nanoseconds. No two names are equal. */
export class EventNames implements Memory {
  /** Distinguishes Events of one instant. */
  #instant = { now: 0, names: 0 };

  fork(): this {
    const copy = new EventNames();
    copy.#instant = { ...this.#instant };
    // The class has no subclasses.
    return copy as this;
  }

  /** `now` is in milliseconds. */
  next(object: string, now: number): string {
    const instant = Math.floor(now);
    const names = instant === this.#instant.now ? this.#instant.names + 1 : 0;
    this.#instant = { now: instant, names };
    return `${object}.${(BigInt(instant) * 1_000_000n + BigInt(names)).toString(16)}`;
  }
}
