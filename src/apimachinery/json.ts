/**
 * A JSON value as the server holds it. `bigint` stands for integers that a JavaScript number cannot hold exactly;
 * everything else is what `JSON.parse` gives.
 */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Keys are data: `__proto__` and `constructor` are keys like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object under construction. */
export interface MutableJsonObject {
  [key: string]: JsonValue;
}

/** Whether the value is a JSON object, which arrays and null are not. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a key as data: `__proto__` becomes an own property instead of changing the prototype. */
export function setKey(object: MutableJsonObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The own value of a key; never something inherited, so `constructor` is undefined unless it was sent. */
export function getKey(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether two values are the same JSON; the order of keys does not matter. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isJsonObject(a)) return isJsonObject(b) && objectsEqual(a, b);
  if (isJsonObject(b) || a === undefined || b === undefined || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
  return true;
}

/** A copy that shares nothing with the value, and may be changed. */
export function jsonCopy<T extends JsonValue>(value: T): T {
  // The copy has the shape of the value, which the compiler cannot follow through the loop.
  return copyValue(value) as T;
}

/**
 * A copy that shares all it holds with the object, and may be changed. Spreading does the same, but V8 makes of most
 * objects that it copies so ones that are slow to read and slower to add to.
 */
export function shallowCopy<T extends JsonObject>(object: T): T {
  const copy: MutableJsonObject = {};
  for (const key in object) setKey(copy, key, object[key] ?? null);
  // The copy has the shape of the object, which the compiler cannot follow through the loop.
  return copy as T;
}

function copyValue(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (!isJsonObject(value)) return value.map(copyValue);
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) setKey(copy, key, copyValue(value[key] ?? null));
  return copy;
}

function objectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false;
  }
  return true;
}
