/**
 * A set of allocated numbers below `size`. A number can be taken several times by those that share it, and is free
 * when all have released it.
 */
export class NumberPool {
  readonly #size: number;
  readonly #reserved: number;
  readonly #uses = new Map<number, number>();

  /** The first `reserved` numbers are allocated dynamically only when the others are exhausted. */
  constructor(size: number, reserved: number) {
    this.#size = size;
    this.#reserved = reserved;
  }

  has(number: number): boolean {
    return this.#uses.has(number);
  }

  take(number: number): void {
    this.#uses.set(number, (this.#uses.get(number) ?? 0) + 1);
  }

  release(number: number): void {
    const uses = this.#uses.get(number) ?? 0;
    if (uses > 1) this.#uses.set(number, uses - 1);
    else this.#uses.delete(number);
  }

  clear(): void {
    this.#uses.clear();
  }

  /** A free number, or undefined if there is none. `random` returns a number below its argument. */
  free(random: (bound: number) => number): number | undefined {
    return freeNumber(this.#size, this.#reserved, random, (number) => this.#uses.has(number));
  }
}

/** A free number below `size`, one of the first `reserved` only when the others are exhausted; undefined if there is none. */
export function freeNumber(
  size: number,
  reserved: number,
  random: (bound: number) => number,
  isTaken: (number: number) => boolean,
): number | undefined {
  return freeWithin(reserved, size, random, isTaken) ?? freeWithin(0, reserved, random, isTaken);
}

/** Upstream's scan: upwards from a random number, with wraparound. */
function freeWithin(
  from: number,
  to: number,
  random: (bound: number) => number,
  isTaken: (number: number) => boolean,
): number | undefined {
  const count = to - from;
  if (count <= 0) return undefined;
  const start = random(count);
  for (let i = 0; i < count; i += 1) {
    const number = from + ((start + i) % count);
    if (!isTaken(number)) return number;
  }
  return undefined;
}
