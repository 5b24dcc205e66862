import { goQuote } from "../../apimachinery/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json.ts";
import type { ListKey, ListType } from "./apply-type.ts";
import type { PathElement } from "./path-element.ts";
import { ListItemError } from "./typed-error.ts";

/** Text that is written between quotes as it is. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/**
 * The element that tells an item of a set or keyed list from the others. A key that the item leaves out has its default.
 * @throws {ListItemError} for an item that has none
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

/** The items of a list by their element. */
export interface ListIndex {
  /** The element of each item, in the order of the list. */
  readonly elements: readonly PathElement[];
  /** The items of each element, of which there is one, unless the list has duplicates. */
  readonly items: ReadonlyMap<PathElement, readonly JsonValue[]>;
}

/** @throws {ListItemError} for an item that cannot be told from others */
export function indexList(list: ListType, items: readonly JsonValue[]): ListIndex {
  const elements: PathElement[] = [];
  const byElement = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    elements.push(element);
    const same = byElement.get(element);
    if (same === undefined) byElement.set(element, [item]);
    else same.push(item);
  }
  return { elements, items: byElement };
}
