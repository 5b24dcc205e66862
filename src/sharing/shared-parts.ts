import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";

/**
 * Gives an object the parts of the one that it replaces, where they say the same. The object and its metadata stay its
 * own; what is below is changed in place, so nobody else may have it.
 */
export function sharePartsOf(before: KubeObject, object: MutableKubeObject): void {
  for (const field in object) if (field !== "metadata") sharePart(before, object, field);
  for (const field in object.metadata) sharePart(before.metadata, object.metadata, field);
}

function sharePart(before: JsonObject, object: MutableJsonObject, field: string): void {
  setKey(object, field, withPartsOf(getKey(before, field), object[field] ?? null));
}

/**
 * The value with every part that says the same as the part before it replaced by that part; `before` itself if all of it
 * does. Whoever compares the two then sees at once what is the same. `value` is changed in place, so nobody else may have
 * it.
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
    const shared = withPartsOf(old, part);
    if (shared !== part) setKey(value, key, shared);
    if (shared !== old) isSame = false;
    count += 1;
  }
  return isSame && count === Object.keys(before).length ? before : value;
}

function listWithParts(before: readonly JsonValue[], value: JsonValue[]): JsonValue {
  let isSame = before.length === value.length;
  for (const [i, item] of value.entries()) {
    const shared = withPartsOf(before[i], item);
    if (shared !== item) value[i] = shared;
    if (shared !== before[i]) isSame = false;
  }
  return isSame ? before : value;
}
