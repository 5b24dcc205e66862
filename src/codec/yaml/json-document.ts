import { DecodeError } from "../../apimachinery/decode-error.ts";
import { decodeUtf8, isUtf8 } from "../../apimachinery/go/go-utf8.ts";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import { type JsonValue, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { readJson } from "../json/json.ts";

/** Characters that are forbidden in YAML, or are breaks, marks or indents there but not in JSON. */
const OTHER_CHARACTER =
  /[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Escapes that YAML refuses, keys with a space before the colon, and `-0`, which has another value in YAML. */
const OTHER_MEANING = /\\\/|\\u[dD][89a-fA-F]|"\s+:|(?:":|[[,])\s*-0/;

/** YAML searches the colon of a key within 1,024 characters, and an escape has up to six characters. */
const LONGEST_KEY = 170;

/**
 * The object in a body that means the same in JSON and YAML, with sorted keys. Most bodies that clients apply are JSON,
 * and the JSON parser takes a tenth of the time. Undefined for all other bodies.
 */
export function jsonDocument(text: string): JsonValue | undefined {
  if (!text.startsWith("{") || OTHER_CHARACTER.test(text) || OTHER_MEANING.test(text)) return undefined;
  try {
    return withSortedKeys(readJson(text));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** The same for bytes; undefined if they are not UTF-8. */
export function jsonDocumentOfBytes(body: Uint8Array): JsonValue | undefined {
  return isUtf8(body) ? jsonDocument(decodeUtf8(body)) : undefined;
}

/** Sorts keys in place where it can. Undefined if YAML would parse a part of the value differently. */
function withSortedKeys(value: ParsedJson): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof NumberLiteral || value instanceof DuplicateKeys) return undefined;
  // The parser has just made them, and made them mutable.
  return isList(value)
    ? listWithSortedKeys(value as JsonValue[])
    : objectWithSortedKeys(value as MutableJsonObject);
}

function isList(value: object): value is readonly ParsedJson[] {
  return Array.isArray(value);
}

function listWithSortedKeys(list: JsonValue[]): JsonValue | undefined {
  for (let i = 0; i < list.length; i++) {
    const item = list[i] ?? null;
    if (typeof item !== "object" || item === null) continue;
    const sorted = withSortedKeys(item);
    if (sorted === undefined) return undefined;
    list[i] = sorted;
  }
  return list;
}

function objectWithSortedKeys(object: MutableJsonObject): JsonValue | undefined {
  let isSorted = true;
  let previous = "";
  for (const key in object) {
    if (key.length > LONGEST_KEY) return undefined;
    if (compareText(previous, key) > 0) isSorted = false;
    previous = key;
    const value = object[key] ?? null;
    if (typeof value !== "object" || value === null) continue;
    const sorted = withSortedKeys(value);
    if (sorted === undefined) return undefined;
    if (sorted !== value) setKey(object, key, sorted);
  }
  if (isSorted) return object;
  const sorted: MutableJsonObject = {};
  for (const key of Object.keys(object).sort(compareText)) setKey(sorted, key, object[key] ?? null);
  return sorted;
}
