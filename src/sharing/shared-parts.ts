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
  for (const field in object) if (field !== "metadata") sharePart(before, object, field);
  for (const field in object.metadata) sharePart(before.metadata, object.metadata, field);
}

function sharePart(before: JsonObject, object: MutableJsonObject, field: string): void {
  const part = object[field];
  if (typeof part !== "object" || part === null) return;
  const shared = withPartsOf(getKey(before, field), part);
  if (shared !== part) setKey(object, field, shared);
}

/**
 * The value with all parts that equal a part of `before` replaced by that part; `before` itself if they are equal. So a
 * comparison of the two finds equal parts by identity. Changes `value` in place, so the caller must own it.
 */
export function withPartsOf(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (value === before || typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (isJsonObject(value)) return isJsonObject(before) ? objectWithParts(before, value) : value;
  return Array.isArray(before) ? listWithParts(before, value as JsonValue[]) : value;
}

function objectWithParts(before: { readonly [key: string]: JsonValue }, value: MutableJsonObject): JsonValue {
  let isSame = true;
  let count = 0;
  for (const key in value) {
    const part = value[key] ?? null;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    count += 1;
    if (part === old) continue;
    // Most values are scalars, which need no call.
    const shared = typeof part === "object" ? withPartsOf(old, part) : part;
    if (shared !== part) setKey(value, key, shared);
    if (shared !== old) isSame = false;
  }
  return isSame && count === keyCount(before) ? before : value;
}

function listWithParts(before: readonly JsonValue[], value: JsonValue[]): JsonValue {
  let isSame = before.length === value.length;
  value.forEach((item, i) => {
    const shared = withPartsOf(before[i], item);
    if (shared !== item) value[i] = shared;
    if (shared !== before[i]) isSame = false;
  });
  return isSame ? before : value;
}
