import { isJsonObject, type JsonValue } from "../json.ts";
import { compareText } from "../text-order.ts";
import { formatGoTime } from "../time.ts";
import { goJson, goJsonText } from "./go-json.ts";
import { goQuote } from "./go-quote.ts";

/** A value as upstream prints it: in Go syntax, and as JSON, which field errors show since 1.34. */
export class GoValue {
  readonly text: string;
  readonly json: string;

  constructor(text: string, json: string) {
    this.text = text;
    this.json = json;
  }
}

/** A value of a Go type, given by its name. It prints when a message needs it, as the release declares the type. */
export class TypedValue {
  readonly type: string;
  readonly value: JsonValue | undefined;

  constructor(type: string, value: JsonValue | undefined) {
    this.type = type;
    this.value = value;
  }
}

/** A value in a field error that prints alike in every release: plain JSON, or a value with its Go texts. */
export type PlainShownValue = JsonValue | undefined | GoValue;

/** A value in a field error. */
export type ShownValue = PlainShownValue | TypedValue;

/** A pointer to a value of a Go type, such as `core.Taint`; undefined for a nil pointer, which shows as `"null"`. */
export function typedValue(type: string, value: JsonValue | undefined): TypedValue | undefined {
  return value === undefined || value === null ? undefined : plainValue(type, value);
}

/** A value of a type that is not a pointer. */
export function plainValue(type: string, value: JsonValue | undefined): TypedValue {
  return new TypedValue(type, value);
}

/** Values whose Go type does not follow from their JSON. */
export const go = {
  /** A named string type, such as an enum. */
  namedString: (value: string): GoValue => new GoValue(goQuote(value), goJsonText(value)),
  /** A type with a `String()` method whose JSON is a string, such as a name. */
  stringer: (text: string): GoValue => new GoValue(text, goJsonText(text)),
  /** A `metav1.Time`; null is Go's zero time. */
  time: (text: string | null): GoValue => new GoValue(formatGoTime(text), goJson(text)),
  /** An unsigned number, which `%#v` prints in hexadecimal. */
  uint: (value: number | bigint): GoValue => new GoValue(`0x${value.toString(16)}`, String(value)),
  stringSlice: (values: readonly string[]): GoValue =>
    new GoValue(`[]string${quoted(values)}`, goJson(values)),
  stringMap: (values: { readonly [key: string]: string }): GoValue =>
    new GoValue(`map[string]string${list(entries(values, goQuote))}`, goJson(values)),
  /** A nil slice, map or pointer of this type. */
  nil: (type: string): GoValue => new GoValue(`${type}(nil)`, "null"),
  /** A value with both of its texts. */
  raw: (text: string, json: string): GoValue => new GoValue(text, json),
};

/** A value in a field error: undefined is `"null"`, strings are quoted, numbers and booleans are not. */
export function formatShownValue(value: PlainShownValue): string {
  if (value instanceof GoValue) return value.text;
  if (value === undefined || value === null) return '"null"';
  return goSyntax(value);
}

/** A value in a field error since 1.34. */
export function formatShownJson(value: PlainShownValue): string {
  if (value instanceof GoValue) return value.json;
  if (value === undefined || value === null) return "null";
  return typeof value === "object" ? goJson(value) : goSyntax(value);
}

/** A JSON value as `%#v` prints it after decoding into `interface {}`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  if (isJsonObject(value)) return `map[string]interface {}${list(entries(value, goSyntax))}`;
  if (Array.isArray(value)) return `[]interface {}${list(value.map(goSyntax))}`;
  return String(value);
}

/** A number as `%v` prints it: integers in full, floats with the fewest digits that parse to the same value. */
export function goNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** A float64 as `%v` prints it: with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const sign = power < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function quoted(values: readonly string[]): string {
  return list(values.map(goQuote));
}

function list(texts: readonly string[]): string {
  return `{${texts.join(", ")}}`;
}

function entries<T>(values: { readonly [key: string]: T }, format: (value: T) => string): string[] {
  return Object.entries(values)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${goQuote(key)}:${format(value)}`);
}
