import { doubleValue } from "./numbers.ts";
import { type CelValue, MapValue, mapKey, type PlainObject } from "./value.ts";

/** Whether a map literal may have the key: a double may not, although a map can be asked for it. */
export function isKey(key: CelValue): boolean {
  return mapKey(key) !== undefined && doubleValue(key) === undefined;
}

/** Whether the value is a list. */
export function isList(value: unknown): value is readonly CelValue[] {
  return Array.isArray(value);
}

/** Whether the value is a map or an object of the input: a plain object. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether the value is a map. */
export function isMap(value: unknown): value is MapValue | PlainObject {
  return value instanceof MapValue || isPlainObject(value);
}

/** The number of keys of a map. */
export function mapSize(map: MapValue | PlainObject): number {
  return map instanceof MapValue ? map.entries.size : Object.keys(map).length;
}

/** The keys of a map in its order. */
export function keysOf(map: MapValue | PlainObject): readonly CelValue[] {
  if (!(map instanceof MapValue)) return Object.keys(map);
  return Array.from(map.entries.values(), ([key]) => key);
}

/** The value of a key of a map; undefined if it has none. */
export function entryOf(map: MapValue | PlainObject, key: CelValue): CelValue | undefined {
  if (map instanceof MapValue) return map.get(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}
