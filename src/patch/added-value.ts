import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { directiveMarker } from "./directives.ts";

/** An added list without the objects that contain `$patch`. */
export function listWithoutDirectives(list: readonly JsonValue[]): readonly JsonValue[] {
  return list.map(withoutDirectives).filter((element) => element !== undefined);
}

/** An added value without the objects that contain `$patch`. Undefined if the value is such an object. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return listWithoutDirectives(value);
  if (!isJsonObject(value)) return value;
  if (getKey(value, directiveMarker) !== undefined) return undefined;
  const object = ownObject(value);
  for (const key of Object.keys(object)) {
    const kept = withoutDirectives(object[key] ?? null);
    if (kept === undefined) delete object[key];
    else setKey(object, key, kept);
  }
  return object;
}

/** Removes null members from an added value. */
export function discardNulls(value: JsonValue): void {
  if (Array.isArray(value)) {
    for (const element of value) discardNulls(element);
    return;
  }
  if (!isJsonObject(value)) return;
  const object = ownObject(value);
  for (const key of Object.keys(object)) {
    const member = object[key] ?? null;
    if (member === null) delete object[key];
    else discardNulls(member);
  }
}

/** The object as mutable: the merge owns its copy of the patch and consumes it. Errors show the remaining patch. */
export function ownObject(object: JsonObject): MutableJsonObject {
  return object as MutableJsonObject;
}
