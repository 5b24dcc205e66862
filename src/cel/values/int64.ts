import { type CelError, celError, integerOverflow, unsignedOverflow } from "./cel-error.ts";
import { type Int, intOf, maxInt, maxUint, minInt, type Uint, uintOf } from "./numbers.ts";

const divisionByZero: CelError = celError("division by zero");
const modulusByZero: CelError = celError("modulus by zero");

export function addInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOf(BigInt(a) + BigInt(b)) ?? integerOverflow;
}

export function subtractInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOf(BigInt(a) - BigInt(b)) ?? integerOverflow;
}

export function multiplyInts(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // Adding 0 turns -0, which is a double, into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intOf(BigInt(a) * BigInt(b)) ?? integerOverflow;
}

/** Division truncates towards zero. */
export function divideInts(a: Int, b: Int): Int | CelError {
  if (Number(b) === 0) return divisionByZero;
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  return intOf(BigInt(a) / BigInt(b)) ?? integerOverflow;
}

/** The remainder has the sign of the dividend. */
export function moduloInts(a: Int, b: Int): Int | CelError {
  if (Number(b) === 0) return modulusByZero;
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  if (BigInt(a) === minInt && BigInt(b) === -1n) return integerOverflow;
  return intOf(BigInt(a) % BigInt(b)) ?? integerOverflow;
}

export function negateInt(a: Int): Int | CelError {
  return typeof a === "number" ? 0 - a : (intOf(-a) ?? integerOverflow);
}

/** Applies an operation to unsigned integers. */
export function uintOperation(a: Uint, b: Uint, operation: "+" | "-" | "*" | "/" | "%"): Uint | CelError {
  const [x, y] = [a.value, b.value];
  if (y === 0n && operation === "/") return divisionByZero;
  if (y === 0n && operation === "%") return modulusByZero;
  const results = {
    "+": () => x + y,
    "-": () => x - y,
    "*": () => x * y,
    "/": () => x / y,
    "%": () => x % y,
  };
  return uintOf(results[operation]()) ?? unsignedOverflow;
}

/** The int that a double truncates to. The ends of the range are excluded, as in cel-go. */
export function intOfDouble(value: number): Int | CelError {
  if (!Number.isFinite(value) || value <= Number(minInt) || value >= Number(maxInt)) return integerOverflow;
  return intOf(BigInt(Math.trunc(value))) ?? integerOverflow;
}

/** The uint that a double truncates to. */
export function uintOfDouble(value: number): Uint | CelError {
  if (!Number.isFinite(value) || value < 0 || value >= Number(maxUint)) return unsignedOverflow;
  return uintOf(BigInt(Math.trunc(value))) ?? unsignedOverflow;
}
