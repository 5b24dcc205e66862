import { isJsonObject, type JsonObject, type JsonValue, keyCount } from "./json.ts";

/** The value at a path of keys; undefined if a key on the path is missing. */
export function valueAt(object: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  return follow(object, path);
}

/** Takes the path as a list: this runs so often that it counts to spread the list from function to function. */
function follow(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  const first = path[0];
  if (first === undefined) return object;
  let value = object[first];
  for (let i = 1; i < path.length; i++) {
    if (!isJsonObject(value)) return undefined;
    value = value[path[i] ?? ""];
  }
  return value;
}

/** The text at a path, or the empty string. */
export function textAt(object: JsonObject, ...path: readonly string[]): string {
  const value = follow(object, path);
  return typeof value === "string" ? value : "";
}

/** The text at a path, even an empty one, or `unset` if there is none. */
export function textOr(unset: string, object: JsonObject, ...path: readonly string[]): string {
  const value = follow(object, path);
  return typeof value === "string" ? value : unset;
}

/** The number at a path, or 0. */
export function numberAt(object: JsonObject, ...path: readonly string[]): number {
  return Number(integerOf(follow(object, path)));
}

/** The number at a path, a bigint if it is large, or 0. */
export function integerAt(object: JsonObject, ...path: readonly string[]): number | bigint {
  return integerOf(follow(object, path));
}

function integerOf(value: JsonValue | undefined): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : 0;
}

/** The boolean at a path, or false. */
export function booleanAt(object: JsonObject, ...path: readonly string[]): boolean {
  return follow(object, path) === true;
}

/** The object at a path, or undefined. */
export function objectAt(object: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const value = follow(object, path);
  return isJsonObject(value) ? value : undefined;
}

/** The struct at a path. In Go a struct is always there, so a missing one reads as an empty object. */
export function structAt(object: JsonObject, ...path: readonly string[]): JsonObject {
  const value = follow(object, path);
  return isJsonObject(value) ? value : noFields;
}

const noFields: JsonObject = Object.freeze({});

/** The objects in the list at a path; empty if there is no list. */
export function listAt(object: JsonObject, ...path: readonly string[]): readonly JsonObject[] {
  const value = follow(object, path);
  return Array.isArray(value) ? objectsOf(value) : noObjects;
}

const noObjects: readonly JsonObject[] = [];

/** The list itself if it holds only objects. */
function objectsOf(list: readonly JsonValue[]): readonly JsonObject[] {
  return areObjects(list) ? list : list.filter(isJsonObject);
}

function areObjects(list: readonly JsonValue[]): list is readonly JsonObject[] {
  for (let i = 0; i < list.length; i++) if (!isJsonObject(list[i])) return false;
  return true;
}

/** The texts in the list at a path; empty if there is no list. */
export function textsAt(object: JsonObject, ...path: readonly string[]): readonly string[] {
  const value = follow(object, path);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The number of items of the list, or of keys of the object, at a path. */
export function sizeAt(object: JsonObject, ...path: readonly string[]): number {
  const value = follow(object, path);
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? keyCount(value) : 0;
}

/** The map of strings at a path; empty if it is not set. */
export function stringsAt(
  object: JsonObject,
  ...path: readonly string[]
): { readonly [key: string]: string } {
  // The schema of such a field allows only strings as values.
  return (objectAt(object, ...path) ?? {}) as { readonly [key: string]: string };
}
