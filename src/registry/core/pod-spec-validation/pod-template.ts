import { type FieldError, fieldForbidden } from "../../../apimachinery/field.ts";
import { child } from "../../../apimachinery/field-path.ts";
import { objectAt, sizeAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { labelErrors } from "../../../apimachinery/label-errors.ts";
import { annotationErrors } from "../../../apimachinery/object-meta-validation.ts";
import { addPodAnnotations, addProfileMismatches } from "./annotations.ts";
import { validatePodSpec } from "./pod-spec.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { stringsAt } from "./string-map.ts";

/** What is wrong with the template of a workload: its metadata, and the spec of the pods that are made of it. */
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
