import { isJsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { sortedKeys } from "../../../apimachinery/text-order.ts";
import type { TemplateValue } from "./template-nodes.ts";

/** Whether Go's templates take a value as true: what is not zero and not empty. */
export function isTruth(value: TemplateValue): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0n) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** A value as Go's templates write it. */
export function printed(value: TemplateValue): string {
  return value === undefined || value === null ? "<no value>" : formatted(value);
}

/** A value in Go's format `%v`. */
export function formatted(value: TemplateValue): string {
  if (value === undefined || value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map((element: JsonValue) => formatted(element)).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${formatted(value[key])}`)
    .join(" ")}]`;
}
