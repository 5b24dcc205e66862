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
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if ("toJSON" in value && typeof value.toJSON === "function") return toJson(value.toJSON());
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  const members = value as { readonly [key: string]: unknown }; // Read by its own keys.
  const object: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const member = members[key];
    // Most members are texts, which need no call.
    const json = typeof member === "string" ? member : toJson(member);
    if (json !== undefined) setKey(object, key, json);
  }
  return object;
}
