import { goFloat } from "../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { compareKeys } from "./key-order.ts";
import { isPlainText } from "./resolve.ts";
import { type Layout, writeDoubleQuoted, writeFolded, writeLiteral } from "./scalar-writer.ts";

/** The value as Go's yaml.v2 writes it after a conversion from JSON. */
export function emit(value: JsonValue): string {
  return new Emitter().emit(value);
}

/** The maximum length in bytes of a key without a question mark. */
const MAX_SIMPLE_KEY = 128;

/** Numbers in base 60, which other YAML 1.1 parsers recognize. */
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** The line breaks that are not escaped. */
const lineBreaks = ["\n", "\u2028", "\u2029"] as const;

const encoder = new TextEncoder();

class Emitter {
  readonly #lines: string[] = [];
  /** The current line. It is separate because reading from one growing string would be slow. */
  #line = "";
  /** Whether the line contains only an indent and markers. */
  #hasOnlyMarkers = true;

  emit(value: JsonValue): string {
    if (isBlock(value)) this.#block(value, 0);
    else this.#scalar(value, 0, true);
    if (this.#line !== "") this.#write("\n");
    return this.#lines.join("");
  }

  #write(text: string): void {
    const end = LINE_BREAK.test(text) ? lastLineStart(text) : 0;
    if (end > 0) this.#lines.push(this.#line + text.slice(0, end));
    this.#line = end > 0 ? text.slice(end) : this.#line + text;
    this.#hasOnlyMarkers = this.#line === "";
  }

  /** Adds a dash, a question mark or a colon. A collection may start after it on the same line. */
  #mark(marker: string): void {
    this.#line += marker;
  }

  /** Moves to the indent, on a new line if this line has other text or is already beyond the indent. */
  #indent(indent: number): void {
    if (!this.#hasOnlyMarkers || this.#line.length > indent) this.#write("\n");
    this.#mark(" ".repeat(indent - this.#line.length));
  }

  #block(value: readonly JsonValue[] | JsonObject, indent: number): void {
    if (isJsonObject(value)) {
      for (const key of Object.keys(value).sort(compareKeys)) this.#entry(key, value[key] ?? null, indent);
      return;
    }
    for (const item of value) {
      this.#indent(indent);
      this.#mark("-");
      this.#nested(item, indent, indent + 2);
    }
  }

  #entry(key: string, value: JsonValue, indent: number): void {
    this.#indent(indent);
    if (!LINE_BREAK.test(key) && encoder.encode(key).length <= MAX_SIMPLE_KEY) {
      this.#scalar(key, indent, false);
      this.#write(":");
      // A list has the indent of its key.
      if (isBlock(value)) this.#write("\n");
      this.#nested(value, indent, Array.isArray(value) ? indent : indent + 2);
      return;
    }
    this.#mark("? ");
    this.#scalar(key, indent, true);
    this.#indent(indent);
    this.#mark(":");
    this.#nested(value, indent, indent + 2);
  }

  #nested(value: JsonValue, indent: number, blockIndent: number): void {
    if (isBlock(value)) {
      this.#block(value, blockIndent);
      return;
    }
    this.#write(" ");
    this.#scalar(value, indent, true);
  }

  /** Further lines of a scalar are indented more than `indent`. A key must fit on one line. */
  #scalar(value: JsonValue, indent: number, mayBreak: boolean): void {
    if (typeof value !== "string") {
      this.#write(nonText(value));
      return;
    }
    if (SIMPLE.test(value) && isPlainText(value)) {
      this.#write(value);
      return;
    }
    // In characters: a surrogate pair counts once.
    const column = [...this.#line].length;
    this.#write(text(value, { column, indent: indent + 2, mayBreak }));
  }
}

function lastLineStart(text: string): number {
  return Math.max(...lineBreaks.map((char) => text.lastIndexOf(char))) + 1;
}

/** Whether a value has its own lines. Empty lists and objects are written as `[]` and `{}`. */
function isBlock(value: JsonValue): value is readonly JsonValue[] | JsonObject {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function nonText(value: Exclude<JsonValue, string>): string {
  if (Array.isArray(value)) return "[]";
  if (isJsonObject(value)) return "{}";
  if (typeof value !== "number") return String(value);
  // Upstream makes YAML of JSON, so an integer has the digits of JSON: 1461690885742740000 for 1461690885742739968. Beyond 64
  // bits it is read as a float, as are the digits of -(2^63).
  const isInteger = Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64;
  return isInteger ? String(value) : goFloat(value);
}

/** One word. It needs quotes only if it would be parsed as another type. */
const SIMPLE = /^[A-Za-z][\w./-]*$/;

const LEADING_INDICATOR = /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t\n]|$)|^---|^\.\.\./;
const INNER_INDICATOR = /:(?:[ \t\n]|$)|[ \t\n]#/;

/** Characters that Go's emitter escapes, which include tabs and everything beyond U+FFFD. */
const SPECIAL = /[^\n\x20-\x7e\u00a0-\ufefe\uff00-\ufffd]|[\ud800-\udfff]/;

const BREAK = /[\n\u2028\u2029]/;

function text(value: string, layout: Layout): string {
  const isSpecial = SPECIAL.test(value) || / [\n\u2028\u2029]/.test(value);
  if (value.includes("\n")) {
    const canBeLiteral = !isSpecial && !value.endsWith(" ") && layout.mayBreak;
    return canBeLiteral ? writeLiteral(value, layout) : writeDoubleQuoted(value, layout);
  }
  if (!isPlainText(value) || BASE_60.test(value) || isSpecial) return writeDoubleQuoted(value, layout);
  const needsQuotes =
    LEADING_INDICATOR.test(value) || INNER_INDICATOR.test(value) || BREAK.test(value) || /^ | $/.test(value);
  if (!needsQuotes) return writeFolded(value, "", layout);
  return /[\u2028\u2029] /.test(value) ? writeDoubleQuoted(value, layout) : writeFolded(value, "'", layout);
}
