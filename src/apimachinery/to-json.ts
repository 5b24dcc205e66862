import { type JsonValue, type MutableJsonObject, setKey } from "./json.ts";

/**
 * A value as JSON, by the rules of `JSON.stringify`: dates become text, members that are undefined or functions are left
 * out. Unlike there, bigints are kept, which stand for large integers.
 */
export function toJson(value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "object":
      return value === null ? null : objectToJson(value);
    default:
      return undefined;
  }
}

function objectToJson(value: object): JsonValue | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") return toJson(value.toJSON());
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  const object: MutableJsonObject = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const json = toJson(Reflect.get(value, key));
    if (json !== undefined) setKey(object, key, json);
  }
  return object;
}
