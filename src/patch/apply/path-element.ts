import { DecodeError } from "../../apimachinery/decode-error.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { goFloat } from "../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { encodeJson } from "../../codec/json/json.ts";

/**
 * One step of a path in the form of FieldsV1: `f:name` is a field or a key of a map, `k:{"name":"a"}` an item of a
 * keyed list, `v:"x"` an item of a set, `i:3` a position. Equal steps have equal text.
 */
export type PathElement = string;

/** The element that represents the container itself in a field set. It sorts before every other element. */
export const SELF = ".";

const FIELD = 0x66;
const KEY = 0x6b;
const VALUE = 0x76;
const INDEX = 0x69;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The maximum length of a number in JSON. */
const LONGEST_NUMBER = 25;

/** The order on the wire: the container itself, fields, keys, values, positions. */
const ranks: { readonly [kind: number]: number } = { [FIELD]: 1, [KEY]: 2, [VALUE]: 3, [INDEX]: 4 };

/** The step to a field of a structure or an entry of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Compares elements in the order in which upstream writes them: numbers by value, text by its bytes. */
export function compareElements(
  a: PathElement,
  b: PathElement,
  read: (element: PathElement) => JsonValue = contentOf,
): number {
  const kind = a.charCodeAt(0);
  const difference = (ranks[kind] ?? 0) - (ranks[b.charCodeAt(0)] ?? 0);
  if (difference !== 0) return difference;
  if (kind === FIELD) return compareText(a, b);
  if (a === b) return 0;
  return compareWithinScalar(a, b) ?? compareValues(read(a), read(b));
}

/** Sorts elements. Parses each of them at most once. */
export function sortElements(elements: PathElement[]): PathElement[] {
  const contents = new Map<PathElement, JsonValue>();
  const read = (element: PathElement): JsonValue => {
    const known = contents.get(element);
    if (known !== undefined) return known;
    const content = contentOf(element);
    contents.set(element, content);
    return content;
  };
  return elements.sort((a, b) => compareElements(a, b, read));
}

/**
 * Compares keys and values that first differ inside a string or a number, which is the usual case and needs no parsing.
 * Undefined for other differences.
 */
function compareWithinScalar(a: PathElement, b: PathElement): number | undefined {
  let isInside = false;
  let start = 2;
  for (let i = 2; i < a.length && i < b.length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === BACKSLASH || right === BACKSLASH) return undefined;
    if (left !== right) return isInside ? compareUnits(left, right) : compareNumbers(a, b, start);
    if (left === QUOTE) isInside = !isInside;
    else if (left === COLON && !isInside) start = i + 1;
  }
  return undefined;
}

/** The quote ends the shorter string, so it sorts first. */
function compareUnits(left: number, right: number): number {
  if (left === QUOTE) return -1;
  return right === QUOTE ? 1 : compareText(String.fromCharCode(left), String.fromCharCode(right));
}

/** Undefined unless both have a number at this position, and these differ. */
function compareNumbers(a: PathElement, b: PathElement, start: number): number | undefined {
  const left = Number.parseFloat(a.slice(start, start + LONGEST_NUMBER));
  const right = Number.parseFloat(b.slice(start, start + LONGEST_NUMBER));
  return left - right || undefined;
}

/** The value in a `k:` or `v:` element, or the position in an `i:` element. */
function contentOf(element: PathElement): JsonValue {
  return JSON.parse(element.slice(2));
}

/** Numbers come before strings, then booleans, lists, objects and null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const difference = valueRank(a) - valueRank(b);
  if (difference !== 0) return difference;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return compareObjects(a, b);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

function valueRank(value: JsonValue): number {
  if (typeof value === "number") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [i, item] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const difference = compareValues(item, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares the members in the order of their names: first the name, then the value. */
function compareObjects(a: JsonObject, b: JsonObject): number {
  const flat = (object: JsonObject): JsonValue[] => sortedEntries(object).flat();
  return compareLists(flat(a), flat(b));
}

function sortedEntries(object: JsonObject): [name: string, value: JsonValue][] {
  return Object.entries(object).sort(([a], [b]) => compareText(a, b));
}

/**
 * The canonical form of an element that a client sent. Undefined for unknown kinds, which are ignored.
 * @throws {DecodeError} for text that is not an element
 */
export function canonicalElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new DecodeError("key must be 2 characters long:");
  if (text[1] !== ":") throw new DecodeError(`missing colon: ${text}`);
  switch (text.charCodeAt(0)) {
    case FIELD:
      return text;
    case KEY: {
      const content = parseContent(text);
      if (!isJsonObject(content)) throw new DecodeError(`no object of keys: ${text}`);
      return keyElement(content);
    }
    case VALUE:
      return valueElement(parseContent(text));
    case INDEX:
      if (!/^[+-]?\d+$/.test(text.slice(2))) throw new DecodeError(`no position: ${text}`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

function parseContent(text: string): JsonValue {
  try {
    return contentOf(text);
  } catch {
    throw new DecodeError(`no JSON: ${text}`);
  }
}

/** The step to the item of a keyed list with these key values. */
export function keyElement(keys: JsonObject): PathElement {
  const members = sortedEntries(keys).map(([name, value]) => `${encodeJson(name)}:${encodeJson(value)}`);
  return `k:{${members.join(",")}}`;
}

/** The step to an item of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${encodeJson(value)}`;
}

/** An element in the form of messages: `.image`, `[name="a",port=80]`, `[="x"]`, `[3]`. */
export function formatElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charCodeAt(0)) {
    case FIELD:
      return `.${rest}`;
    case KEY: {
      const keys: JsonObject = JSON.parse(rest);
      return `[${formatMembers(keys, ",")}]`;
    }
    case VALUE:
      return `[=${formatValue(contentOf(element))}]`;
    default:
      return `[${rest}]`;
  }
}

/** A path in the form of messages: `.spec.template.spec.containers[name="a"].image`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join("");
}

function formatValue(value: JsonValue): string {
  if (typeof value === "string") return goQuote(value);
  // Upstream parses every number of a path as a float.
  if (typeof value === "number") return goFloat(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(",")}]`;
  return isJsonObject(value) ? formatMembers(value, "") : String(value);
}

function formatMembers(object: JsonObject, separator: string): string {
  return sortedEntries(object)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(separator);
}
