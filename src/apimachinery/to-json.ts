import { type JsonValue, type MutableJsonObject, setKey } from "./json.ts";

/**
 * A value as JSON, by the rules of `JSON.stringify`: dates become text, members that are undefined or functions are left
 * out. Unlike there, bigints are kept, which stand for large integers.
 */
export function toJson(value: unknown): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return converted(value);
  // The platform's own reader and writer are several times as fast, if they leave bigints to us.
  if ("toJSON" in BigInt.prototype) return converted(value);
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // A bigint has no text. Whatever else is wrong with the value fails again.
    return converted(value);
  }
}

function converted(value: unknown): JsonValue | undefined {
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
  if ("toJSON" in value && typeof value.toJSON === "function") return converted(value.toJSON());
  if (Array.isArray(value)) return value.map((item) => converted(item) ?? null);
  const members = value as { readonly [key: string]: unknown }; // Read by its own keys.
  const object: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const member = members[key];
    // Most members are texts, which need no call.
    const json = typeof member === "string" ? member : converted(member);
    if (json !== undefined) setKey(object, key, json);
  }
  return object;
}
