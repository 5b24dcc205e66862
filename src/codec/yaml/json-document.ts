import { DecodeError } from "../../apimachinery/decode-error.ts";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { decodeUtf8, isUtf8 } from "../json/go-utf8.ts";
import { readJson } from "../json/json.ts";

/** Characters that YAML does not know, or takes for breaks, marks or indents where JSON does not. */
const OTHER_CHARACTER =
  /[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Escapes that YAML refuses, keys that end before their colon does, and a number that is not the same in both. */
const OTHER_MEANING = /\\\/|\\u[dD][89a-fA-F]|"\s+:|(?:":|[[,])\s*-0/;

/** YAML looks 1,024 characters ahead for the colon of a key, and an escape takes up to six for one. */
const LONGEST_KEY = 170;

/**
 * The object in a body that JSON and YAML read alike, its keys sorted: most of what clients apply is JSON, and read in a
 * tenth of the time. Undefined for everything else.
 */
export function jsonDocument(text: string): ParsedJson | undefined {
  if (!text.startsWith("{") || OTHER_CHARACTER.test(text) || OTHER_MEANING.test(text)) return undefined;
  try {
    return withSortedKeys(readJson(text));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** The same of bytes; undefined if they are no UTF-8. */
export function jsonDocumentOfBytes(body: Uint8Array): ParsedJson | undefined {
  return isUtf8(body) ? jsonDocument(decodeUtf8(body)) : undefined;
}

/** Undefined if something is in the value that YAML reads by rules of its own. */
function withSortedKeys(value: ParsedJson): ParsedJson | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof NumberLiteral || value instanceof DuplicateKeys) return undefined;
  return isList(value) ? listWithSortedKeys(value) : objectWithSortedKeys(value);
}

function isList(value: object): value is readonly ParsedJson[] {
  return Array.isArray(value);
}

function listWithSortedKeys(list: readonly ParsedJson[]): ParsedJson | undefined {
  const items: ParsedJson[] = [];
  for (const item of list) {
    const sorted = withSortedKeys(item);
    if (sorted === undefined) return undefined;
    items.push(sorted);
  }
  return items;
}

function objectWithSortedKeys(object: { readonly [key: string]: ParsedJson }): ParsedJson | undefined {
  const entries: [key: string, value: ParsedJson][] = [];
  for (const [key, value] of Object.entries(object)) {
    const sorted = key.length > LONGEST_KEY ? undefined : withSortedKeys(value);
    if (sorted === undefined) return undefined;
    entries.push([key, sorted]);
  }
  // Unlike assignment, this makes `__proto__` a key like any other.
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}
