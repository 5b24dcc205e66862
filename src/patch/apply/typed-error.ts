import { goFloat, goSyntax } from "../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";

/** An error at a path. The path is empty for the object itself. */
export interface TypedFinding {
  readonly path: string;
  readonly message: string;
}

/** A value that does not fit its type. */
export class TypedError extends Error {
  override readonly name = "TypedError";

  constructor(findings: readonly TypedFinding[]) {
    super(formatFindings(findings));
  }
}

/** A list item that cannot be identified. */
export class ListItemError extends Error {
  override readonly name = "ListItemError";
}

function formatFindings(findings: readonly TypedFinding[]): string {
  const texts = findings.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts.join() : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

/** A value as Go's `%v` prints upstream's wrapper of it. */
export function wrappedValue(value: JsonValue): string {
  return `&{${plainValue(value)}}`;
}

/** A value as Go's `%#v` prints that wrapper. */
export function wrappedSyntax(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${typeof value === "number" ? goFloat(value) : goSyntax(value)}}`;
}

/** The name of the Go type that the JSON value is decoded into. */
export function goTypeName(value: JsonValue): string {
  if (isJsonObject(value)) return "map[string]interface {}";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "float64";
}

function plainValue(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return goFloat(value);
  if (Array.isArray(value)) return `[${value.map(plainValue).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const keys = sortedKeys(value);
  return `map[${keys.map((key) => `${key}:${plainValue(value[key] ?? null)}`).join(" ")}]`;
}
