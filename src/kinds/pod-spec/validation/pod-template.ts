import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { objectAt, sizeAt, stringsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { addAnnotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { addPodAnnotations, addProfileMismatches } from "./annotations.ts";
import { addPodSpecErrors } from "./pod-spec.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

/** Validates the template of a workload: its metadata and its pod spec. */
export function addPodTemplateSpecErrors(
  errors: Findings,
  template: JsonObject,
  path: string,
  options: PodValidationOptions,
): void {
  const specPath = child(path, "spec");
  addLabelErrors(errors, stringsAt(template, "metadata", "labels"), child(path, "labels"));
  addAnnotationErrors(errors, stringsAt(template, "metadata", "annotations"), child(path, "annotations"));
  addPodAnnotations(errors, template, child(path, "annotations"), options);
  addPodSpecErrors(errors, objectAt(template, "spec") ?? {}, specPath, options);
  addProfileMismatches(errors, template, specPath);
  if (sizeAt(template, "spec", "ephemeralContainers") > 0) {
    const detail = "ephemeral containers not allowed in pod template";
    errors.push(fieldForbidden(child(specPath, "ephemeralContainers"), detail));
  }
}
