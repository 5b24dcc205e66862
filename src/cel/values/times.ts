/** A duration in nanoseconds, an integer of 64 bits as in Go. */
export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A point of time between the years 1 and 9999: seconds since 1970, and nanoseconds of that second. */
export class Timestamp {
  readonly seconds: number;
  readonly nanoseconds: number;

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }
}

/** The first second of the year 1, and the last of the year 9999. */
export const timestampRange: { readonly first: number; readonly last: number } = {
  first: -62135596800,
  last: 253402300799,
};

/** The timestamp; undefined outside the years 1 to 9999. */
export function timestampOf(seconds: number, nanoseconds: number): Timestamp | undefined {
  const outside = seconds < timestampRange.first || seconds > timestampRange.last;
  return outside ? undefined : new Timestamp(seconds, nanoseconds);
}

/** Nanoseconds since 1970. */
export function timestampNanoseconds(timestamp: Timestamp): bigint {
  return BigInt(timestamp.seconds) * 1_000_000_000n + BigInt(timestamp.nanoseconds);
}

/** The timestamp of nanoseconds since 1970; undefined outside the years 1 to 9999. */
export function timestampOfNanoseconds(nanoseconds: bigint): Timestamp | undefined {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return timestampOf(Number((nanoseconds - fraction) / 1_000_000_000n), Number(fraction));
}

/** The last duration and the first are those of 64 bits. */
export function durationOf(nanoseconds: bigint): Duration | undefined {
  return BigInt.asIntN(64, nanoseconds) === nanoseconds ? new Duration(nanoseconds) : undefined;
}
