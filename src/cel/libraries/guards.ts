import { isList } from "../values/containers.ts";
import { type Int, isInt, Uint } from "../values/numbers.ts";
import { Duration, Timestamp } from "../values/times.ts";
import type { CelValue } from "../values/value.ts";

/** Whether a value has the type that a function is written for. */
export type Guard<T extends CelValue> = (value: CelValue) => value is T;

export const isString: Guard<string> = (value) => typeof value === "string";
export const isInteger: Guard<Int> = (value): value is Int => isInt(value);
export const isUint: Guard<Uint> = (value): value is Uint => value instanceof Uint;
export const isBytes: Guard<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array;
export const isTimestamp: Guard<Timestamp> = (value): value is Timestamp => value instanceof Timestamp;
export const isDuration: Guard<Duration> = (value): value is Duration => value instanceof Duration;
export const isListValue: Guard<readonly CelValue[]> = (value): value is readonly CelValue[] => isList(value);
