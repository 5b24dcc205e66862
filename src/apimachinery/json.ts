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
