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
