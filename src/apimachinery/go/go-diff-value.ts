import { isJsonObject, type JsonValue } from "../json.ts";
import { compareText } from "../text-order.ts";
import { type DiffRecord, type DiffSide, type DiffText, ellipsis } from "./go-diff-text.ts";
import { goQuote } from "./go-quote.ts";
import { type GoPointer, type GoScalar, type GoShape, type GoStruct, isZeroValue } from "./go-shape.ts";
import { goNumber } from "./go-value.ts";

/** Whether a value shows its type: always, never, or only if it is a composite value within a change. */
export type TypeMode = "emit" | "elide" | "auto";

export interface ValueOptions {
  readonly mode: TypeMode;
  /** The side of the diff that the value belongs to; empty for an unchanged value. */
  readonly side: DiffSide;
  /** Controls how much of long texts and lists is shown. */
  readonly verbosity: number;
}

/** Formats a value as go-cmp does. */
export function formatGoValue(shape: GoShape, value: JsonValue | undefined, options: ValueOptions): DiffText {
  switch (shape.kind) {
    case "text":
    case "time":
    case "raw":
      return textValue(typeof value === "string" ? value : "", options.verbosity);
    case "number":
      return typeof value === "bigint" ? String(value) : goNumber(Number(value ?? 0));
    case "boolean":
      return String(value === true);
    case "pointer":
      if (value === undefined || value === null) return "nil";
      return { prefix: "&", value: formatGoValue(shape.to, value, options), suffix: "" };
    default:
      return ofParts(shape, value, options);
  }
}

/** Puts the type of a value before its text, if the mode asks for it. */
export function typed(
  shape: GoShape,
  text: DiffText,
  mode: TypeMode,
  change: "changed" | "unchanged",
): DiffText {
  if (mode === "elide" || (mode === "auto" && change === "unchanged")) return text;
  return "type" in shape ? { prefix: shape.type, value: text, suffix: "" } : text;
}

function ofParts(
  shape: Exclude<GoShape, GoScalar | GoPointer>,
  value: JsonValue | undefined,
  { mode, side, verbosity }: ValueOptions,
): DiffText {
  const isNil = value === undefined || value === null;
  if (isNil && shape.kind !== "struct") return mode === "emit" ? `${shape.type}(nil)` : "nil";
  const inner = { side, verbosity: verbosity - 1 };
  const most = partsAt(verbosity);
  const records =
    shape.kind === "struct"
      ? fieldRecords(shape, value, inner, most)
      : itemRecords(shape, value, inner, most);
  return typed(
    shape,
    { prefix: "{", value: { records }, suffix: "}" },
    mode,
    side === "" ? "unchanged" : "changed",
  );
}

type InnerOptions = Omit<ValueOptions, "mode">;

function fieldRecords(
  shape: GoStruct,
  value: JsonValue | undefined,
  options: InnerOptions,
  most: number,
): readonly DiffRecord[] {
  const set = shape
    .fields()
    .map((field) => ({ ...field, value: field.read(value) }))
    .filter((field) => !isZeroValue(field.shape, field.value));
  return limited(
    set.map(({ name, shape: of, value: inner }) => {
      return { side: "" as const, key: name, value: formatGoValue(of, inner, { ...options, mode: "auto" }) };
    }),
    most,
  );
}

function itemRecords(
  shape: Extract<GoShape, { kind: "slice" | "map" }>,
  value: JsonValue | undefined,
  options: InnerOptions,
  most: number,
): readonly DiffRecord[] {
  const record = (key: string, of: GoShape, item: JsonValue | undefined): DiffRecord => {
    return { side: "", key, value: formatGoValue(of, item, { ...options, mode: "elide" }) };
  };
  if (shape.kind === "slice") {
    const items = Array.isArray(value) ? value : [];
    return limited(
      items.map((item) => record("", shape.element, item)),
      most,
    );
  }
  const entries = isJsonObject(value) ? value : {};
  const keys = Object.keys(entries).sort(compareText);
  return limited(
    keys.map((key) => record(shape.keyMark + goQuote(key), shape.values, entries[key])),
    most,
  );
}

function limited(records: readonly DiffRecord[], most: number): readonly DiffRecord[] {
  return records.length > most ? [...records.slice(0, most), ellipsis()] : records;
}

/** The number of parts to show: none, four, eight and so on. */
function partsAt(verbosity: number): number {
  return ((1 << Math.max(0, verbosity)) >> 1) << 2;
}

/** Truncates a long text. A text that needs escapes is put between backticks if possible. */
function textValue(text: string, verbosity: number): string {
  const longest = (1 << Math.max(0, verbosity)) << 5;
  if (text.length <= longest + "...".length) return quoted(text);
  return `${quoted(text.slice(0, longest))}...`;
}

function quoted(text: string): string {
  const escaped = goQuote(text);
  if (escaped.length === text.length + 2 || /[`\n]|[^\P{Cc}\t]/u.test(text)) return escaped;
  return `\`${text}\``;
}
