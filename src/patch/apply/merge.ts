import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { isEmptyObject } from "./field-set-of.ts";
import { areAligned, indexItems, itemElements, type ListIndex } from "./list-item.ts";
import { mergedOrder } from "./merged-order.ts";
import type { PathElement } from "./path-element.ts";

/**
 * The live value merged with the applied value. Nothing is removed; atomic parts and scalars come from the applied
 * value. Parts that do not change are the same objects as before.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function mergeObjects(type: ApplyType, live: JsonValue, applied: JsonValue): JsonValue {
  switch (shapeOf(type, applied)) {
    case "map":
      return type.map === undefined ? applied : mergeMaps(type.map, live, applied);
    case "list":
      return type.list === undefined ? applied : mergeLists(type.list, live, applied);
    case "scalar":
      return replaced(live, applied);
  }
}

function replaced(live: JsonValue, applied: JsonValue): JsonValue {
  return jsonEqual(live, applied) ? live : applied;
}

/** The merged value; without a live value, the applied one. */
function mergeInto(type: ApplyType, live: JsonValue | undefined, applied: JsonValue): JsonValue {
  return live === undefined ? applied : mergeObjects(type, live, applied);
}

function mergeMaps(map: MapType, live: JsonValue, applied: JsonValue): JsonValue {
  const old = contentOf(live);
  const now = contentOf(applied);
  if (map.topology === "atomic" || (old === undefined && now === undefined)) return replaced(live, applied);
  // Null and {} remove nothing from the live value.
  if (now === undefined) return live;
  if (old === undefined) return applied;
  let merged: MutableJsonObject | undefined;
  for (const key in now) {
    const value = now[key];
    if (value === undefined) continue;
    const before = getKey(old, key);
    const type = map.fields.get(key)?.type ?? map.values;
    const after = type === undefined ? value : mergeInto(type, before, value);
    if (after === before) continue;
    merged ??= { ...old };
    setKey(merged, key, after);
  }
  return merged ?? live;
}

/** The value if it is a map with entries. */
function contentOf(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) && !isEmptyObject(value) ? value : undefined;
}

function mergeLists(list: ListType, live: JsonValue, applied: JsonValue): JsonValue {
  const old = itemsOf(live);
  const now = itemsOf(applied);
  if (list.topology === "atomic" || (old.length === 0 && now.length === 0)) return replaced(live, applied);
  if (now.length === 0) return live;
  if (old.length === 0) return applied;
  const merged = mergeItems(list, old, now);
  return sameItems(merged, old) ? live : merged;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function mergeItems(list: ListType, live: readonly JsonValue[], applied: readonly JsonValue[]): JsonValue[] {
  const oldElements = itemElements(list, live);
  const elements = itemElements(list, applied);
  if (areAligned(oldElements, elements)) {
    return live.map((item, i) => mergeInto(list.items, item, applied[i] ?? null));
  }
  const old = indexItems(oldElements, live);
  const now = indexItems(elements, applied);
  return mergedOrder(oldElements, elements).map(({ element, position }) => {
    if (position !== undefined) return live[position] ?? null;
    return mergeInto(list.items, onlyItem(old, element), onlyItem(now, element) ?? null);
  });
}

/** The item of the element. Duplicate items are not merged. */
function onlyItem(index: ListIndex, element: PathElement): JsonValue | undefined {
  const items = index.get(element);
  return items?.length === 1 ? items[0] : undefined;
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
