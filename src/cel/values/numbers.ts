/**
 * Integers are plain numbers, and bigints beyond 2^53, as in JSON that the server decodes. A number with a fraction
 * is a double, and so are NaN and the infinities; a double without a fraction needs a mark.
 */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** An int: a number, or a bigint beyond 2^53. */
export type Int = number | bigint;

export const minInt: bigint = -(2n ** 63n);
export const maxInt: bigint = 2n ** 63n - 1n;
export const maxUint: bigint = 2n ** 64n - 1n;

/** The double as a value: a number if it has a fraction, otherwise marked. */
export function double(value: number): number | Double {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

/** Whether the value is an int. */
export function isInt(value: unknown): value is Int {
  return typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "bigint";
}

/** The number of a double; undefined if the value is none. */
export function doubleValue(value: unknown): number | undefined {
  if (value instanceof Double) return value.value;
  return typeof value === "number" && !Number.isSafeInteger(value) ? value : undefined;
}

/** The int in its only form: a number if it is exact; undefined beyond 64 bits. */
export function intOf(value: bigint): Int | undefined {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return value < minInt || value > maxInt ? undefined : value;
}

/** The uint; undefined if the number is negative or beyond 64 bits. */
export function uintOf(value: bigint): Uint | undefined {
  return value < 0n || value > maxUint ? undefined : new Uint(value);
}
