import { DecodeError } from "../../apimachinery/decode-error.ts";
import { decodeUtf8 } from "../../apimachinery/go/go-utf8.ts";
import { type ParsedJson, plainJson } from "../../apimachinery/go/parsed-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { utf8Bytes } from "../../apimachinery/utf8.ts";
import { jsonSyntaxError, MAX_DEPTH } from "./go-json-error.ts";
import { isEscaped, parseLiterally } from "./json-parser.ts";

/**
 * Values that `JSON.parse` might change: numbers with a fraction or an exponent, and integers of 16 digits and more. A
 * match in a string only costs time.
 */
const ODD_NUMBER = /(?:":|[[,])\s*-?\d(?:\d{15}|\d*[.eE])/;
const SURROGATE = /\\u[dD][89a-fA-F]/;
const SPACED_COLON = /"\s+:/;

/** A value that comes without a text. It is the same in JSON. */
export class HandedValue {
  readonly value: JsonObject;

  constructor(value: JsonObject) {
    this.value = value;
  }
}

/** A body in JSON: its text, or what it says. */
export type JsonBody = string | Uint8Array | HandedValue;

/**
 * Parses a body without a schema: integers beyond 2^53 are bigints, and of duplicate keys the last counts.
 * @throws {DecodeError} with the text of Go's decoder
 */
export function parseJson(body: string | Uint8Array): JsonValue {
  const text = typeof body === "string" ? body : decodeUtf8(body);
  const value = parseText(text, body);
  if (mayBeTooDeep(text)) countKeys(value, body, 1);
  return needsLiteralParser(text, value) ? plainJson(parseLiterally(text)) : value;
}

/**
 * Parses a body without losses: numbers that are not integers in Go keep their text, and duplicate keys are kept. All
 * other parts are the same as from `JSON.parse`.
 * @throws {DecodeError} with the text of Go's decoder
 */
export function readJson(body: JsonBody): ParsedJson {
  if (body instanceof HandedValue) return body.value;
  const text = typeof body === "string" ? body : decodeUtf8(body);
  const value = parseText(text, body);
  const keys = countKeys(value, body, 1);
  return needsLiteralParser(text, value) || mayRepeatKeys(text, keys) ? parseLiterally(text) : value;
}

/** Whether the text has, or might have, values that only the slow parser reads as Go does. */
function needsLiteralParser(text: string, value: JsonValue): boolean {
  if (typeof value === "number" || ODD_NUMBER.test(text) || SPACED_COLON.test(text)) return true;
  return text.includes("\\u") && SURROGATE.test(text);
}

function parseText(text: string, body: string | Uint8Array): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxError(body);
  }
}

function syntaxError(body: string | Uint8Array): DecodeError {
  const bytes = typeof body === "string" ? utf8Bytes(body) : body;
  // JSON.parse and Go accept the same texts, so jsonSyntaxError always finds an error. The text is a fallback.
  return new DecodeError(jsonSyntaxError(bytes) ?? "invalid JSON");
}

/** The number of keys in a value. Also checks its depth. */
function countKeys(value: JsonValue, body: string | Uint8Array, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > MAX_DEPTH) throw syntaxError(body);
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "object" && item !== null) count += countKeys(item, body, depth + 1);
    }
    return count;
  }
  // The value comes from JSON.parse, so all enumerable keys are its own.
  const object = value as { readonly [key: string]: JsonValue };
  for (const key in object) {
    count++;
    const item = object[key];
    if (typeof item === "object" && item !== null) count += countKeys(item, body, depth + 1);
  }
  return count;
}

function mayBeTooDeep(text: string): boolean {
  return count(text, "{") + count(text, "[") > MAX_DEPTH;
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/**
 * Whether the text may have more keys than the value, because of a duplicate key or an ambiguous text. The text must
 * have no space before a colon.
 */
function mayRepeatKeys(text: string, keys: number): boolean {
  let found = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    const before = text.charCodeAt(at - 1);
    if (before === 0x5c) {
      if (!isEscaped(text, at)) found++;
      continue;
    }
    // The quote may start a string that begins with a colon, or end a string with such a character.
    if (!isInsideString(before)) return true;
    found++;
  }
  return found !== keys;
}

/** Whether a quote after this character must be a closing quote: the character is none of `[ , : {` and space. */
function isInsideString(before: number): boolean {
  return before > 0x20 && before !== 0x5b && before !== 0x2c && before !== 0x3a && before !== 0x7b;
}

const HTML = /[<>&\u2028\u2029]/g;

/** A key that JavaScript treats as an index, and so puts before all other keys. */
const INDEX_KEY = /"(?:0|[1-9]\d{0,9})":/;
/** Matches wherever `INDEX_KEY` can match. Most texts have no match, and this test is several times as fast. */
const DIGIT_BEFORE_COLON = /\d":/;

/**
 * JSON as Go writes it, without a trailing newline, with keys in the order of the value. What is not JSON, such as a date in
 * an object of a test, is written as `JSON.stringify` writes it.
 */
export function encodeJson(value: JsonValue): string {
  return encode(value, "");
}

/** JSON as Go writes it with an indent of two spaces. */
export function encodePrettyJson(value: JsonValue): string {
  return encode(value, "  ");
}

function encode(value: JsonValue, indent: string): string {
  const text = stringify(value, indent);
  return mayHoldHtml(text) ? text.replace(HTML, escapeCharacter) : text;
}

/** Five searches for one character each are ten times as fast as one for any of them. */
function mayHoldHtml(text: string): boolean {
  return (
    text.includes("<") ||
    text.includes(">") ||
    text.includes("&") ||
    text.includes("\u2028") ||
    text.includes("\u2029")
  );
}

function stringify(value: JsonValue, indent: string): string {
  let text: string;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify throws for bigints.
    if (error instanceof TypeError) return stringifyExactly(value, indent, "\n");
    throw error;
  }
  const isMisplaced = DIGIT_BEFORE_COLON.test(text) && INDEX_KEY.test(text);
  return isMisplaced ? stringifyExactly(value, indent, "\n") : text;
}

/** Like `JSON.stringify`, but supports bigints, and puts index keys in the order of Go's maps. */
function stringifyExactly(value: JsonValue, indent: string, newline: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  // Not JSON, but what JSON.stringify calls.
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return stringifyExactly(toJSON.call(value), indent, newline);
  const inner = newline + indent;
  if (!isJsonObject(value)) {
    return enclose(
      "[]",
      value.map((item) => stringifyExactly(item, indent, inner)),
      indent,
      newline,
    );
  }
  const colon = indent === "" ? ":" : ": ";
  const members: string[] = [];
  for (const key of orderedKeys(value)) {
    const item = value[key];
    if (item === undefined || typeof item === "function") continue;
    members.push(JSON.stringify(key) + colon + stringifyExactly(item, indent, inner));
  }
  return enclose("{}", members, indent, newline);
}

function enclose(brackets: string, parts: readonly string[], indent: string, newline: string): string {
  const [open = "", close = ""] = brackets;
  if (parts.length === 0) return brackets;
  if (indent === "") return open + parts.join(",") + close;
  return `${open}${newline}${indent}${parts.join(`,${newline}${indent}`)}${newline}${close}`;
}

/** JavaScript puts index keys first, so the original order is lost if there are any. Sorted keys are right for maps. */
function orderedKeys(object: { readonly [key: string]: JsonValue }): string[] {
  const keys = Object.keys(object);
  return keys.length > 1 && /^(?:0|[1-9]\d{0,9})$/.test(keys[0] ?? "") ? keys.sort(compareText) : keys;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
