import type { Implementation } from "../environment/declarations.ts";
import { type CelError, noSuchOverload } from "../values/cel-error.ts";
import { doubleValue } from "../values/numbers.ts";
import type { CelValue } from "../values/value.ts";
import type { Guard } from "./guards.ts";

/** A function of one argument. A value of another type, which only a dynamic call can give, is no such overload. */
export function unary<X extends CelValue>(isX: Guard<X>, call: (x: X) => CelValue): Implementation {
  return (x = null) => (isX(x) ? call(x) : noSuchOverload);
}

/** A function of two arguments. */
export function binary<X extends CelValue, Y extends CelValue>(
  isX: Guard<X>,
  isY: Guard<Y>,
  call: (x: X, y: Y) => CelValue,
): Implementation {
  return (x = null, y = null) => (isX(x) && isY(y) ? call(x, y) : noSuchOverload);
}

/** A function of three arguments. */
export function ternary<X extends CelValue, Y extends CelValue, Z extends CelValue>(
  isX: Guard<X>,
  isY: Guard<Y>,
  isZ: Guard<Z>,
  call: (x: X, y: Y, z: Z) => CelValue,
): Implementation {
  return (x = null, y = null, z = null) => (isX(x) && isY(y) && isZ(z) ? call(x, y, z) : noSuchOverload);
}

/** A function of doubles. */
export function doubles(call: (...values: number[]) => CelValue): Implementation {
  return (...args) => {
    const numbers = args.map(doubleValue);
    return numbers.every((number) => number !== undefined) ? call(...numbers) : noSuchOverload;
  };
}

/** The value, or the error of a value that is out of range. */
export function or<T>(value: T | undefined, error: CelError): T | CelError {
  return value === undefined ? error : value;
}

/** A function of two texts, which is checked without a guard: most functions in loops are of this kind. */
export function ofTexts(call: (a: string, b: string) => CelValue): Implementation {
  return (a, b) => (typeof a === "string" && typeof b === "string" ? call(a, b) : noSuchOverload);
}
