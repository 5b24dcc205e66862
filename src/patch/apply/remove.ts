import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { emptySet, type FieldSet, isEmptySet, isMember } from "./field-set.ts";
import { isEmptyObject } from "./field-set-of.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";

/**
 * The value without the fields and items of the set and everything below them. A list or map that loses all its
 * contents becomes null. A value that loses nothing is the same object as before.
 */
export function removeItems(type: ApplyType, value: JsonValue, set: FieldSet): JsonValue {
  if (isEmptySet(set)) return value;
  switch (shapeOf(type, value)) {
    case "scalar":
      return value;
    case "list":
      return type.list === undefined ? value : removeFromList(type.list, value, set);
    case "map":
      return type.map === undefined ? value : removeFromMap(type.map, value, set);
  }
}

function removeFromList(list: ListType, value: JsonValue, set: FieldSet): JsonValue {
  if (!Array.isArray(value) || value.length === 0 || list.topology === "atomic") return null;
  let isChanged = false;
  const kept: JsonValue[] = [];
  // The value is JSON, so its items are.
  for (const item of value as readonly JsonValue[]) {
    const node = set[itemElement(list, item)];
    const left = node === undefined ? item : removePart(list.items, item, node);
    if (left !== item) isChanged = true;
    if (left !== undefined) kept.push(left);
  }
  if (!isChanged) return value;
  return kept.length === 0 ? null : kept;
}

function removeFromMap(map: MapType, value: JsonValue, set: FieldSet): JsonValue {
  if (!isJsonObject(value) || isEmptyObject(value) || map.topology === "atomic") return null;
  let isChanged = false;
  const kept: MutableJsonObject = {};
  for (const key in value) {
    const part = value[key];
    if (part === undefined) continue;
    const field = map.fields.get(key);
    const node = set[field === undefined ? fieldElement(key) : field.element];
    const type = field?.type ?? map.values;
    const left = node === undefined || type === undefined ? part : removePart(type, part, node);
    if (left !== part) isChanged = true;
    if (left !== undefined) setKey(kept, key, left);
  }
  if (!isChanged) return value;
  return isEmptyObject(kept) ? null : kept;
}

/** Undefined if the part itself is in the set. */
function removePart(type: ApplyType, part: JsonValue, node: FieldSet): JsonValue | undefined {
  return isMember(node) ? undefined : removeItems(type, part, node);
}

/**
 * Only the fields of the set: the configuration that a manager would apply to own exactly these. Items keep their keys,
 * which identify them.
 */
export function extractItems(type: ApplyType, value: JsonObject, set: FieldSet): JsonObject {
  const extracted = extract(type, value, set);
  return isJsonObject(extracted) ? extracted : {};
}

function extract(type: ApplyType, value: JsonValue, node: FieldSet): JsonValue {
  const shape = shapeOf(type, value);
  if (shape === "list" && type.list !== undefined) return extractFromList(type.list, value, node);
  return shape === "map" && type.map !== undefined ? extractFromMap(type.map, value, node) : value;
}

function extractFromList(list: ListType, value: JsonValue, node: FieldSet): JsonValue {
  if (list.topology === "atomic" || !Array.isArray(value)) return value;
  const items: JsonValue[] = [];
  // The value is JSON, so its items are.
  for (const item of value as readonly JsonValue[]) {
    const below = node[itemElement(list, item)];
    if (below !== undefined) items.push(withKeys(list, item, extract(list.items, item, below)));
  }
  return items;
}

function withKeys(list: ListType, item: JsonValue, extracted: JsonValue): JsonValue {
  if (!isJsonObject(item) || !isJsonObject(extracted)) return extracted;
  const result: MutableJsonObject = { ...extracted };
  for (const { name } of list.keys) {
    if (Object.hasOwn(item, name)) setKey(result, name, item[name] ?? null);
  }
  return result;
}

function extractFromMap(map: MapType, value: JsonValue, node: FieldSet): JsonValue {
  if (map.topology === "atomic" || !isJsonObject(value)) return value;
  const result: MutableJsonObject = {};
  for (const key in value) {
    const part = value[key];
    const below = node[fieldElement(key)];
    if (part === undefined || below === undefined) continue;
    const type = map.fields.get(key)?.type ?? map.values;
    setKey(result, key, type === undefined ? part : extract(type, part, below));
  }
  return result;
}

/** The set plus every structure with fields in it: pruning removes and restores structures with their fields. */
export function withNamedFields(type: ApplyType | undefined, set: FieldSet): FieldSet {
  let result: { [element: string]: FieldSet } | undefined;
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (isEmptySet(node)) continue;
    const name = element.startsWith("f:") ? element.slice(2) : undefined;
    const field = name === undefined ? undefined : type?.map?.fields.get(name);
    const inner = withNamedFields(field?.type ?? partType(type, element), node);
    const whole = field !== undefined && !isMember(inner) ? { ".": emptySet, ...inner } : inner;
    if (whole === node) continue;
    result ??= { ...set };
    result[element] = whole;
  }
  return result ?? set;
}

/** The type of a map entry or list item. */
function partType(type: ApplyType | undefined, element: string): ApplyType | undefined {
  if (element.startsWith("f:")) return type?.map?.values;
  return element.startsWith("k:") ? type?.list?.items : undefined;
}
