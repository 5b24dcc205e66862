import { type FieldError, fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { objectAt, sizeAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { annotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import { stringsAt } from "../../findings/string-map.ts";
import { addPodAnnotations, addProfileMismatches } from "./annotations.ts";
import { validatePodSpec } from "./pod-spec.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";

/** Validates the template of a workload: its metadata and its pod spec. */
export function validatePodTemplateSpec(
  template: JsonObject,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const specPath = child(path, "spec");
  const errors = [
    ...labelErrors(stringsAt(template, "metadata", "labels"), child(path, "labels")),
    ...annotationErrors(stringsAt(template, "metadata", "annotations"), child(path, "annotations")),
  ];
  addPodAnnotations(errors, template, child(path, "annotations"), options);
  errors.push(...validatePodSpec(objectAt(template, "spec") ?? {}, specPath, options));
  addProfileMismatches(errors, template, specPath);
  if (sizeAt(template, "spec", "ephemeralContainers") > 0) {
    const detail = "ephemeral containers not allowed in pod template";
    errors.push(fieldForbidden(child(specPath, "ephemeralContainers"), detail));
  }
  return errors;
}
