import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach } from "../../../apimachinery/object-edits.ts";
import { containerLists } from "./container-paths.ts";

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
