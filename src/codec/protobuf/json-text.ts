import type { JsonValue } from "../../apimachinery/json.ts";

/** The compact JSON text of a value, with keys in their order and integers of any size. */
export function stringifyJson(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // `JSON.stringify` throws for bigints, which are rare.
    if (error instanceof TypeError) return stringifyWithBigints(value);
    throw error;
  }
}

function stringifyWithBigints(value: JsonValue): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringifyWithBigints).join(",")}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stringifyWithBigints(item)}`).join(",")}}`;
}
