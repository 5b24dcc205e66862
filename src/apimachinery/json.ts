/**
 * A JSON value as the server stores it. `bigint` stands for integers that a JavaScript number cannot represent
 * exactly.
 */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys are data: `__proto__` and `constructor` have no special meaning. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object that can be changed. */
export interface MutableJsonObject {
  [key: string]: JsonValue;
}

/** Whether the value is a JSON object, not an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a key as data: `__proto__` becomes an own property and does not change the prototype. */
export function setKey(object: MutableJsonObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The own value of a key, never an inherited one such as `constructor`. */
export function getKey(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether two values are equal; the order of keys does not matter. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false;
    let count = 0;
    for (const key in a) {
      if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false;
      count += 1;
    }
    return count === keyCount(b);
  }
  if (isJsonObject(b) || a === undefined || b === undefined || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
  return true;
}

/** A deep copy, which can be changed. */
export function jsonCopy<T extends JsonValue>(value: T): T {
  // The copy has the type of the value, which the compiler cannot infer from the recursion.
  return copyValue(value) as T;
}

/**
 * A shallow copy, which can be changed. A spread does the same, but V8 gives most of its results a representation
 * with slow property access.
 */
export function shallowCopy<T extends JsonObject>(object: T): T {
  const copy: MutableJsonObject = {};
  for (const key in object) setKey(copy, key, object[key] ?? null);
  // The copy has the type of the object, which the compiler cannot infer from the loop.
  return copy as T;
}

function copyValue(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (!isJsonObject(value)) return value.map(copyValue);
  const copy: MutableJsonObject = {};
  for (const key in value) setKey(copy, key, copyValue(value[key] ?? null));
  return copy;
}

/** The number of keys, without a list of them. JSON objects inherit no enumerable keys. */
export function keyCount(object: JsonObject): number {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}
