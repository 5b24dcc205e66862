import { isExactly } from "../types/type-relations.ts";
import { entryOf, isList, isMap, keysOf, mapSize } from "./containers.ts";
import { OpaqueValue } from "./opaque-value.ts";
import { compareBytes, compareNumbers } from "./order.ts";
import { Duration, Timestamp } from "./times.ts";
import { type CelValue, type MapValue, Optional, type PlainObject, TypeValue } from "./value.ts";

/** Whether two values are equal. Values of different types are not, except for numbers. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  if (a === b) return !Number.isNaN(a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return equalNumbers(a, b);
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (isMap(a)) return isMap(b) && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) {
    return b instanceof Timestamp && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  }
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  if (a instanceof TypeValue) return b instanceof TypeValue && sameRuntimeType(a, b);
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && isExactly(a.type, b.type) && a.equals(b);
  return equalNumbers(a, b);
}

function equalNumbers(a: CelValue, b: CelValue): boolean {
  return compareNumbers(a, b) === 0;
}

function equalLists(a: readonly CelValue[], b: readonly CelValue[]): boolean {
  return a.length === b.length && a.every((item, i) => equalValues(item, b[i] ?? null));
}

function equalMaps(a: MapValue | PlainObject, b: MapValue | PlainObject): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return keysOf(a).every((key) => {
    const other = entryOf(b, key);
    return other !== undefined && equalValues(entryOf(a, key) ?? null, other);
  });
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

/** At run time, types have no parameters. */
function sameRuntimeType(a: TypeValue, b: TypeValue): boolean {
  return a.type.name === b.type.name;
}
