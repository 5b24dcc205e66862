import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ListKey, ListType } from "./apply-type.ts";
import type { PathElement } from "./path-element.ts";
import { ListItemError } from "./typed-error.ts";

/** Text that needs no escapes in quotes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/**
 * The element that identifies an item of a set or keyed list. A key that the item omits has its default.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  return list.topology === "map" ? keyedElement(list.keys, item) : setElement(item);
}

function keyedElement(keys: readonly ListKey[], item: JsonValue): PathElement {
  if (item === null) throw new ListItemError("associative list with keys may not have a null element");
  if (!isJsonObject(item))
    throw new ListItemError("associative list with keys may not have non-map elements");
  let members = "";
  for (const key of keys) {
    const separator = members === "" ? "" : ",";
    members += separator + key.prefix + encodeScalar(keyValue(key, item));
  }
  return `k:{${members}}`;
}

function keyValue(key: ListKey, item: JsonObject): JsonValue {
  const value = Object.hasOwn(item, key.name) ? item[key.name] : key.default;
  if (value !== undefined) return value;
  throw new ListItemError(
    `associative list with keys has an element that omits key field ${goQuote(key.name)} (and doesn't have default value)`,
  );
}

function setElement(item: JsonValue): PathElement {
  if (isJsonObject(item)) {
    throw new ListItemError("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) {
    throw new ListItemError("not supported: associative list with lists as elements");
  }
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  return `v:${encodeScalar(item)}`;
}

function encodeScalar(value: JsonValue): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  return Number.isSafeInteger(value) ? String(value) : encodeJson(value);
}

/**
 * The element of each item, in the order of the list.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function itemElements(list: ListType, items: readonly JsonValue[]): readonly PathElement[] {
  const elements: PathElement[] = [];
  for (const item of items) elements.push(itemElement(list, item));
  return elements;
}

/** Longer lists are searched with a set. */
const SHORT_LIST = 8;

/** Whether a list has duplicate items. */
export function haveRepeated(elements: readonly PathElement[]): boolean {
  if (elements.length > SHORT_LIST) return new Set(elements).size < elements.length;
  for (let i = 1; i < elements.length; i++)
    if (elements.lastIndexOf(elements[i] ?? "", i - 1) >= 0) return true;
  return false;
}

/** The items of a list by their element: one each, except for duplicates. */
export type ListIndex = ReadonlyMap<PathElement, readonly JsonValue[]>;

/** The index of a list from the elements of its items. */
export function indexItems(elements: readonly PathElement[], items: readonly JsonValue[]): ListIndex {
  const index = new Map<PathElement, JsonValue[]>();
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] ?? "";
    const item = items[i] ?? null;
    const same = index.get(element);
    if (same === undefined) index.set(element, [item]);
    else same.push(item);
  }
  return index;
}

/** Whether two lists have the same elements in the same order, without duplicates. */
export function areAligned(a: readonly PathElement[], b: readonly PathElement[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return !haveRepeated(a);
}
