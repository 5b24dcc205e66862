import { goQuote } from "../../apimachinery/go-quote.ts";
import { goNumber } from "../../apimachinery/go-value.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";

/** A field of a Go structure: its name, the JSON it is read from, and how a value that is not set is printed. */
export interface StructField {
  readonly name: string;
  readonly read: (object: JsonObject) => JsonValue | undefined;
  readonly kind: "text" | "boolean" | "pointer" | "list" | "struct";
}

/** Upstream's library sets lines off by spaces that do not break, so that nobody takes its output for a format. */
const same = "\u00a0\u00a0";
const removed = "-\u00a0";
const added = "+\u00a0";

const contextFields = 2;
const shownFields = 4;

/**
 * How two structures differ, in the manner of go-cmp: what changed between two of its neighbors, the others counted. A
 * change within a field shows as the field before and after, where upstream goes on into it.
 */
export function structDiff(
  type: string,
  fields: readonly StructField[],
  old: JsonObject,
  now: JsonObject,
): string {
  return [`${same}${type}{`, ...fieldLines(fields, old, now, "\t"), `${same}}`, ""].join("\n");
}

/** The lines of the fields, to be put between the braces of their structure. */
export function fieldLines(
  fields: readonly StructField[],
  old: JsonObject,
  now: JsonObject,
  indent: string,
): readonly string[] {
  const changes = fields.map(({ read }) => !jsonEqual(read(old), read(now)));
  const isShown = (i: number) =>
    changes.slice(Math.max(0, i - contextFields), i + contextFields + 1).some(Boolean);
  const lines: string[] = [];
  let hidden = 0;
  const width = widthOf(fields.filter((_, i) => isShown(i)));
  for (const [i, field] of fields.entries()) {
    if (!isShown(i)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0) lines.push(ellipsis(hidden, indent));
    hidden = 0;
    const line = (mark: string, object: JsonObject) =>
      `${mark}${indent}${`${field.name}:`.padEnd(width)}${printed(field, object)},`;
    if (changes[i]) lines.push(line(removed, old), line(added, now));
    else lines.push(line(same, now));
  }
  if (hidden > 0) lines.push(ellipsis(hidden, indent));
  return lines;
}

function widthOf(fields: readonly StructField[]): number {
  return Math.max(...fields.map(({ name }) => name.length)) + 2;
}

function ellipsis(count: number, indent: string): string {
  return `${same}${indent}... // ${count} identical ${count === 1 ? "field" : "fields"}`;
}

function printed({ read, kind }: StructField, object: JsonObject): string {
  const value = read(object);
  switch (kind) {
    case "text":
      return goQuote(typeof value === "string" ? value : "");
    case "boolean":
      return String(value === true);
    case "struct":
      return compact(value ?? {});
    case "list":
      return value === undefined ? "nil" : compact(value);
    default:
      return value === undefined ? "nil" : `&${compact(value)}`;
  }
}

/** A value on one line: what is zero is left out, and so is what comes after the first few fields. */
function compact(value: JsonValue): string {
  if (value === null) return "nil";
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  if (isJsonObject(value)) return compactObject(value);
  if (typeof value === "object") return `{${value.map(compact).join(", ")}}`;
  return String(value);
}

function compactObject(value: JsonObject): string {
  const set = Object.entries(value).filter(([, item]) => !isZero(item));
  const texts = set.slice(0, shownFields).map(([key, item]) => `${goName(key)}: ${compact(item)}`);
  return `{${[...texts, ...(set.length > shownFields ? ["..."] : [])].join(", ")}}`;
}

function isZero(value: JsonValue): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function goName(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
