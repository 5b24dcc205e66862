import { isJsonObject, type JsonValue, type MutableJsonObject, setKey } from "../apimachinery/json.ts";
import { sortedKeys } from "../apimachinery/text-order.ts";

/** The value with sorted keys at every level. Frozen parts are sorted already. */
export function sortedValue(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (!isJsonObject(value)) return value.map(sortedValue);
  const sorted: MutableJsonObject = {};
  for (const key of sortedKeys(value)) setKey(sorted, key, sortedValue(value[key] ?? null));
  return sorted;
}
