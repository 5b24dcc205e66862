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
import { indexList, type ListIndex } from "./list-item.ts";
import { mergedOrder } from "./merged-order.ts";

/**
 * The live value with the applied one laid over it. Nothing is taken away; atomic parts and scalars are the applied
 * ones. What the applied value does not change is the very same object as before.
 * @throws {ListItemError} for an item that cannot be told from others
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

/** The applied value, or what is left of it where it holds the same as nothing. */
function mergeInto(type: ApplyType, live: JsonValue | undefined, applied: JsonValue): JsonValue {
  return live === undefined ? applied : mergeObjects(type, live, applied);
}

function mergeMaps(map: MapType, live: JsonValue, applied: JsonValue): JsonValue {
  const old = contentOf(live);
  const now = contentOf(applied);
  if (map.topology === "atomic" || (old === undefined && now === undefined)) return replaced(live, applied);
  // Null and {} take nothing away from what is there.
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

/** The map, if it is one and has something in it. */
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
  const old = indexList(list, live);
  const now = indexList(list, applied);
  return mergedOrder(old.elements, now.elements).map(({ element, position }) => {
    if (position !== undefined) return live[position] ?? null;
    const item = onlyItem(now, element) ?? null;
    return mergeInto(list.items, onlyItem(old, element), item);
  });
}

/** The item of the element. Of several that cannot be told from each other none is merged with. */
function onlyItem(index: ListIndex, element: string): JsonValue | undefined {
  const items = index.items.get(element);
  return items === undefined || items.length > 1 ? undefined : items[0];
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
