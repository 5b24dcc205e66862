import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach } from "../../../apimachinery/object-edits.ts";
import { containerLists } from "./container-paths.ts";

/** The spec with all containers of all kinds edited. */
export function editedContainers(spec: JsonObject, edit: Edit): JsonObject {
  let edited = spec;
  for (const list of containerLists) edited = editedEach(edited, list, edit);
  return edited;
}

/** The spec with all volumes edited. */
export function editedVolumes(spec: JsonObject, edit: Edit): JsonObject {
  return editedEach(spec, "volumes", edit);
}

/** The spec with all terms of pod affinity and anti-affinity edited. */
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
