import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { areInTextOrder, compareText } from "../apimachinery/text-order.ts";

/** The value with sorted keys at every level; the same value if they are sorted, as those of frozen parts are. */
export function sortedValue(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  return isJsonObject(value) ? sortedObject(value) : sortedItems(value);
}

function sortedItems(list: readonly JsonValue[]): readonly JsonValue[] {
  let isSame = true;
  const sorted = list.map((item) => {
    const inOrder = sortedValue(item);
    isSame &&= inOrder === item;
    return inOrder;
  });
  return isSame ? list : sorted;
}

function sortedObject(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  const isInOrder = areInTextOrder(keys);
  if (!isInOrder) keys.sort(compareText);
  let sorted: MutableJsonObject | undefined = isInOrder ? undefined : {};
  let place = 0;
  for (const key of keys) {
    const value = object[key] ?? null;
    const part = sortedValue(value);
    if (sorted === undefined && part !== value) sorted = withEntries(object, keys.slice(0, place));
    if (sorted !== undefined) setKey(sorted, key, part);
    place += 1;
  }
  return sorted ?? object;
}

function withEntries(object: JsonObject, keys: readonly string[]): MutableJsonObject {
  const entries: MutableJsonObject = {};
  for (const key of keys) setKey(entries, key, object[key] ?? null);
  return entries;
}
