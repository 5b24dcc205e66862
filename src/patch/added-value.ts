import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import { directiveMarker } from "./directives.ts";

/** A list that is added, without what has `$patch` in it. */
export function listWithoutDirectives(list: readonly JsonValue[]): readonly JsonValue[] {
  return list.map(withoutDirectives).filter((element) => element !== undefined);
}

/** A value that is added, without the objects in it that have `$patch`. Undefined if it is one itself. */
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

/** Takes the members that are null out of a value that is added. */
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

/** Everything in the patch is the merge's own copy, which is used up as it goes; errors show what is left of it. */
export function ownObject(object: JsonObject): MutableJsonObject {
  return object as MutableJsonObject;
}
