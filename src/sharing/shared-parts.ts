import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keyCount,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";

/**
 * Replaces parts of an object by equal parts of a frozen object that it replaces or resembles. The object and its
 * metadata are not shared. Changes the parts below them in place, so the caller must own them.
 */
export function sharePartsOf(before: KubeObject, object: MutableKubeObject): void {
  shareFieldsOf(before, object);
  shareFieldsOf(before.metadata, object.metadata);
}

/** The same for the fields of an object, except for its metadata. */
function shareFieldsOf(before: JsonObject, object: MutableJsonObject): void {
  for (const field in object) {
    const part = object[field];
    if (typeof part !== "object" || part === null || field === "metadata") continue;
    const shared = withPartsOf(getKey(before, field), part);
    if (shared !== part) setKey(object, field, shared);
  }
}

/**
 * The value with all parts that equal a part of `before` replaced by that part; `before` itself if they are equal. So a
 * comparison of the two finds equal parts by identity. Changes `value` in place, so the caller must own it.
 */
export function withPartsOf(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (value === before || typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  let isSame = true;
  // One function that calls itself: the compiler would copy one of two that call each other into the other again and again.
  if (!isJsonObject(value)) {
    if (!Array.isArray(before)) return value;
    const list = value as JsonValue[]; // The caller owns it.
    for (let i = 0; i < list.length; i++) {
      const item = list[i] ?? null;
      const shared = withPartsOf(before[i], item);
      if (shared !== item) list[i] = shared;
      if (shared !== before[i]) isSame = false;
    }
    return isSame && before.length === list.length ? before : value;
  }
  if (!isJsonObject(before)) return value;
  const object: MutableJsonObject = value;
  let count = 0;
  for (const key in object) {
    const part = object[key] ?? null;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    count += 1;
    if (part === old) continue;
    const shared = typeof part === "object" ? withPartsOf(old, part) : part;
    if (shared !== part) setKey(object, key, shared);
    if (shared !== old) isSame = false;
  }
  return isSame && count === keyCount(before) ? before : value;
}
