import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, shapeOf } from "./apply-type.ts";
import { isEmptyObject } from "./field-set-of.ts";

/**
 * Whether two objects that fit their type have the same owned fields after the same empty object: they differ only in the values
 * of fields that both set. Not every two objects with the same owned fields are alike.
 */
export function areAlike(type: ApplyType, one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  const shape = shapeOf(type, one);
  if (shape !== shapeOf(type, other)) return false;
  const { list, map } = type;
  // One function that calls itself: the compiler would copy each of several that call one another into the others.
  if (shape === "list" && list?.topology !== "atomic") {
    if (list === undefined || !Array.isArray(one) || !Array.isArray(other)) return false;
    if (one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) {
      const item: JsonValue = one[i];
      const otherItem: JsonValue = other[i];
      if (item === otherItem) continue;
      // Items of sets are scalars, and alike only if they are equal.
      if (!isJsonObject(item) || !isJsonObject(otherItem) || !haveSameKeys(list, item, otherItem))
        return false;
      if (!areAlike(list.items, item, otherItem)) return false;
    }
    return true;
  }
  if (shape === "map" && map?.topology !== "atomic") {
    if (map === undefined || !isJsonObject(one) || !isJsonObject(other)) return false;
    let count = 0;
    for (const key in one) {
      count += 1;
      const value: JsonValue | undefined = one[key];
      const otherValue: JsonValue | undefined = other[key];
      if (value === otherValue) continue;
      if (value === undefined || otherValue === undefined) return false;
      const entryType = map.fields.get(key)?.type ?? map.values;
      if (entryType === undefined || !areAlike(entryType, value, otherValue)) return false;
    }
    for (const _ in other) count -= 1;
    return count === 0;
  }
  return isSet(one) && isSet(other);
}

/** An empty value can equal that of the empty object, and then has no owner. */
function isSet(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? !isEmptyObject(value) : Boolean(value);
}

function haveSameKeys(list: ListType, one: JsonObject, other: JsonObject): boolean {
  for (const { name } of list.keys) if (one[name] !== other[name]) return false;
  return true;
}
