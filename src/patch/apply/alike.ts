import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { isEmptyObject } from "./field-set-of.ts";

/**
 * Whether two objects that fit their type have the same owned fields after the same empty object: they differ only in the values
 * of fields that both set. Not every two objects with the same owned fields are alike.
 */
export function areAlike(type: ApplyType, one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  const shape = shapeOf(type, one);
  if (shape !== shapeOf(type, other)) return false;
  if (shape === "list" && type.list?.topology !== "atomic") return areListsAlike(type.list, one, other);
  if (shape === "map" && type.map?.topology !== "atomic") return areMapsAlike(type.map, one, other);
  return isSet(one) && isSet(other);
}

/** An empty value can equal that of the empty object, and then has no owner. */
function isSet(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? !isEmptyObject(value) : Boolean(value);
}

function areListsAlike(list: ListType | undefined, one: JsonValue, other: JsonValue): boolean {
  if (list === undefined || !Array.isArray(one) || !Array.isArray(other)) return false;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) {
    if (!areItemsAlike(list, one[i], other[i])) return false;
  }
  return true;
}

/** Items of sets are scalars, and alike only if they are equal. */
function areItemsAlike(list: ListType, one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  for (const { name } of list.keys) if (one[name] !== other[name]) return false;
  return areAlike(list.items, one, other);
}

function areMapsAlike(map: MapType | undefined, one: JsonValue, other: JsonValue): boolean {
  if (map === undefined || !isJsonObject(one) || !isJsonObject(other)) return false;
  let count = 0;
  for (const key in one) {
    count += 1;
    if (!areEntriesAlike(map, key, one, other)) return false;
  }
  for (const _ in other) count -= 1;
  return count === 0;
}

function areEntriesAlike(map: MapType, key: string, one: JsonObject, other: JsonObject): boolean {
  const [value, otherValue]: readonly (JsonValue | undefined)[] = [one[key], other[key]];
  if (value === otherValue) return true;
  if (value === undefined || otherValue === undefined) return false;
  const type = map.fields.get(key)?.type ?? map.values;
  return type !== undefined && areAlike(type, value, otherValue);
}
