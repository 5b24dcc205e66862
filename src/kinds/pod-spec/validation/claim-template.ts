import { fieldForbidden, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, stringsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { addAnnotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { addClaimSpecErrors, strictClaims } from "./claim-spec-validation.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

/** In the order of Go's struct. Go prints the creation timestamp even if it is not set. */
const fieldsOfOthers = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** Validates the claim template of an ephemeral volume. Its metadata can only have labels and annotations. */
export function addClaimTemplate(
  errors: Findings,
  source: JsonObject,
  path: string,
  { gates }: Pick<PodValidationOptions, "gates">,
): void {
  const template = objectAt(source, "volumeClaimTemplate");
  const at = child(path, "volumeClaimTemplate");
  if (template === undefined) {
    errors.push(fieldRequired(at));
    return;
  }
  const metadata = objectAt(template, "metadata") ?? {};
  addAnnotationErrors(errors, stringsAt(metadata, "annotations"), child(at, "metadata", "annotations"));
  addLabelErrors(errors, stringsAt(metadata, "labels"), child(at, "metadata", "labels"));
  for (const field of fieldsOfOthers) {
    if (metadata[field] === undefined || metadata[field] === null) continue;
    errors.push(fieldForbidden(child(at, "metadata", loweredGoName(field)), "cannot be set"));
  }
  addClaimSpecErrors(errors, objectAt(template, "spec") ?? {}, child(at, "spec"), strictClaims(gates));
}

/** Upstream lowers the first letter of the Go field, so UID becomes uID. */
function loweredGoName(field: string): string {
  return field === "uid" ? "uID" : field;
}
