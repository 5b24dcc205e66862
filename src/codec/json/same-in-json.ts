import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";

/** How deep a value may be; the readers of JSON refuse deeper ones in their own words. */
const mostLevels = 100;

/**
 * Whether a value certainly comes back from its JSON text as `readJson` reads it: its numbers are safe integers, and its
 * texts and the order of its keys do not change. So it need not be written and parsed.
 */
export function isSameInJson(value: JsonValue): boolean {
  return isSame(value, mostLevels);
}

function isSame(value: JsonValue, levels: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (levels === 0) return false;
  if (!isJsonObject(value)) {
    for (const item of value) if (!isSame(item, levels - 1)) return false;
    return true;
  }
  // JSON objects inherit no enumerable keys.
  for (const key in value) {
    const item: JsonValue | undefined = value[key];
    // JavaScript puts keys that are indices before all others.
    const first = key.charCodeAt(0);
    if ((first >= 0x30 && first <= 0x39) || !key.isWellFormed()) return false;
    // Most members are texts, which need no call. The text leaves undefined members out.
    const isMemberSame =
      typeof item === "string" ? item.isWellFormed() : item !== undefined && isSame(item, levels - 1);
    if (!isMemberSame) return false;
  }
  return true;
}
