import { isJsonObject, type JsonValue } from "./json.ts";
import { sortedKeys } from "./text-order.ts";

/** A text that two values share if and only if they are equal (`jsonEqual`). It finds equal values without comparing pairs. */
export function jsonKey(value: JsonValue): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!isJsonObject(value)) return `[${value.map(jsonKey).join()}]`;
  const members = sortedKeys(value).map((key) => `${JSON.stringify(key)}:${jsonKey(value[key] ?? null)}`);
  return `{${members.join()}}`;
}
