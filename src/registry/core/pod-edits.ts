import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { containerLists } from "./pod-spec-validation/container-paths.ts";

/** Gives an object as it shall be; itself if nothing is to change. */
export type Edit = (object: JsonObject) => JsonObject;

/** The object with another value in a field; itself if that is the value it has. */
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

/** The object with an edited object in a field, if there is one. */
export function editedAt(object: JsonObject, field: string, edit: Edit): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? withField(object, field, edit(value)) : object;
}

/** The object with every object in a list edited. */
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

/** The spec with every container edited, of whatever sort. */
export function editedContainers(spec: JsonObject, edit: Edit): JsonObject {
  let edited = spec;
  for (const list of containerLists) edited = editedEach(edited, list, edit);
  return edited;
}

/** The spec with every volume edited. */
export function editedVolumes(spec: JsonObject, edit: Edit): JsonObject {
  return editedEach(spec, "volumes", edit);
}

/** The spec with every term edited that says which pods this one goes with, or keeps away from. */
export function editedAffinityTerms(spec: JsonObject, edit: Edit): JsonObject {
  const preferred: Edit = (weighted) => editedAt(weighted, "podAffinityTerm", edit);
  const both: Edit = (affinity) =>
    editedEach(
      editedEach(affinity, "preferredDuringSchedulingIgnoredDuringExecution", preferred),
      "requiredDuringSchedulingIgnoredDuringExecution",
      edit,
    );
  return editedAt(spec, "affinity", (affinity) =>
    editedAt(editedAt(affinity, "podAffinity", both), "podAntiAffinity", both),
  );
}
