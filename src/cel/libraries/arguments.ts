import type { Implementation } from "../environment/declarations.ts";
import { type CelError, noSuchOverload } from "../values/cel-error.ts";
import { isList, isMap } from "../values/containers.ts";
import { doubleValue, type Int, isInt, Uint } from "../values/numbers.ts";
import { Duration, Timestamp } from "../values/times.ts";
import type { CelValue, MapValue, PlainObject } from "../values/value.ts";

/** Whether a value has the type that a function is written for. */
export type Guard<T extends CelValue> = (value: CelValue) => value is T;

export const isString: Guard<string> = (value) => typeof value === "string";
export const isInteger: Guard<Int> = (value): value is Int => isInt(value);
export const isUint: Guard<Uint> = (value): value is Uint => value instanceof Uint;
export const isBytes: Guard<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array;
export const isTimestamp: Guard<Timestamp> = (value): value is Timestamp => value instanceof Timestamp;
export const isDuration: Guard<Duration> = (value): value is Duration => value instanceof Duration;
export const isListValue: Guard<readonly CelValue[]> = (value): value is readonly CelValue[] => isList(value);
export const isMapValue: Guard<MapValue | PlainObject> = (value): value is MapValue | PlainObject =>
  isMap(value);

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
