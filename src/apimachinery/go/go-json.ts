import { isJsonObject, type JsonValue } from "../json.ts";
import { sortedKeys } from "../text-order.ts";

const escaped = /[<>&\u2028\u2029]/g;

/** Formats a value as Go's `json.Marshal` does: keys sorted, HTML characters escaped. */
export function goJson(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "string") return goJsonText(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (!isJsonObject(value)) return String(value);
  return `{${sortedKeys(value)
    .map((key) => `${goJsonText(key)}:${goJson(value[key])}`)
    .join(",")}}`;
}

/** Formats a text as Go's `json.Marshal` does. */
export function goJsonText(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
