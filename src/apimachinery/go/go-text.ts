import type { JsonObject, JsonValue } from "../json.ts";
import { isJsonObject } from "../json.ts";
import { sortedKeys } from "../text-order.ts";
import { goNumber } from "./go-value.ts";

/** A value as Go's `%v` prints it: `map[image:k name:a]`, `[a b]`, `<nil>`. */
export function goText(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return goNumber(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => goText(item)).join(" ")}]`;
  return isJsonObject(value) ? goMapText(value) : String(value);
}

function goMapText(map: JsonObject): string {
  const keys = sortedKeys(map);
  return `map[${keys.map((key) => `${key}:${goText(map[key] ?? null)}`).join(" ")}]`;
}

/** What Go's reflection calls the kind of a value that was decoded without a schema. */
export function goKindOf(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
  }
  return Array.isArray(value) ? "slice" : "map";
}

/** The Go type of such a value; undefined for null, which has none. */
export function goTypeOf(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  const kind = goKindOf(value);
  if (kind === "slice") return "[]interface {}";
  return kind === "map" ? "map[string]interface {}" : kind;
}

/** A value as Go's `%s` prints it. */
export function goStringText(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) return goText(value);
  return value === null ? "%!s(<nil>)" : `%!s(${goTypeOf(value)}=${goText(value)})`;
}
