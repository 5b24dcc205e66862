import { compareText } from "../../apimachinery/text-order.ts";
import { type CelError, celError, noSuchOverload } from "./cel-error.ts";
import { doubleValue, isInt, Uint } from "./numbers.ts";
import { Duration, Timestamp, timestampNanoseconds } from "./times.ts";
import type { CelValue } from "./value.ts";

const notOrdered: CelError = celError("NaN values cannot be ordered");

/** Negative if a comes before b, 0 if they are equal. Numbers of different types compare. */
export function compareValues(a: CelValue, b: CelValue): number | CelError {
  if (typeof a === "number" && typeof b === "number")
    return Number.isNaN(a - b) ? compareDoubles(a, b) : a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  const numbers = compareNumbers(a, b);
  if (numbers !== undefined) return numbers;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) {
    return compareExact(timestampNanoseconds(a), timestampNanoseconds(b));
  }
  if (a instanceof Duration && b instanceof Duration) return compareExact(a.nanoseconds, b.nanoseconds);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return noSuchOverload;
}

/** The exact number of an int, a uint or a double; undefined for other values. */
export function numberOf(value: CelValue): number | bigint | undefined {
  if (isInt(value)) return value;
  if (value instanceof Uint) return value.value;
  return doubleValue(value);
}

/** The order of two numbers; undefined if one of the values is no number. */
export function compareNumbers(a: CelValue, b: CelValue): number | CelError | undefined {
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === undefined || right === undefined) return undefined;
  if (typeof left === typeof right) return compareDoubles(left, right);
  // cel-go compares an integer with a double as doubles, and so loses the digits that a double has not.
  const isMixed = doubleValue(a) !== undefined || doubleValue(b) !== undefined;
  return isMixed ? compareDoubles(Number(left), Number(right)) : compareDoubles(left, right);
}

function compareDoubles(a: number | bigint, b: number | bigint): number | CelError {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? notOrdered : 0;
}

function compareExact(a: bigint, b: bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The order of two byte sequences. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
