import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** Returns a changed copy of an object, or the same object if nothing changes. */
export type Edit = (object: JsonObject) => JsonObject;

/** The object with a new value in a field, or the same object if the value is equal. */
export function withField(object: JsonObject, field: string, value: JsonValue | undefined): JsonObject {
  if (object[field] === value) return object;
  if (value !== undefined) return { ...object, [field]: value };
  const { [field]: _dropped, ...rest } = object;
  return rest;
}

/** The object without these fields. */
export function without(object: JsonObject, fields: readonly string[]): JsonObject {
  let edited = object;
  for (const field of fields) edited = withField(edited, field, undefined);
  return edited;
}

/** The object with an edit applied to the object in a field, if there is one. */
export function editedAt(object: JsonObject, field: string, edit: Edit): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? withField(object, field, edit(value)) : object;
}

/** The object with an edit applied to every object in a list. */
export function editedEach(object: JsonObject, field: string, edit: Edit): JsonObject {
  const list = object[field];
  if (!Array.isArray(list)) return object;
  let edited: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item: JsonValue = list[i];
    const next = isJsonObject(item) ? edit(item) : item;
    if (next === item) continue;
    edited ??= [...list];
    edited[i] = next;
  }
  return edited === undefined ? object : { ...object, [field]: edited };
}
