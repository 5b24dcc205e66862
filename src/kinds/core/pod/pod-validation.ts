import { type FieldError, fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { listAt, sizeAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { addPodAnnotations, addProfileMismatches } from "../../pod-spec/validation/annotations.ts";
import { addUntrimmedImage } from "../../pod-spec/validation/container.ts";
import { validatePodSpec } from "../../pod-spec/validation/pod-spec.ts";
import {
  areSameOptions,
  type PodValidationOptions,
  podValidationOptions,
} from "../../pod-spec/validation/pod-validation-options.ts";
import { addTokensWithoutAccount } from "../../pod-spec/validation/volumes.ts";

/** Validates a new pod. Upstream: pkg/apis/core/validation/validation.go, ValidatePodCreate. */
export function podErrors(pod: KubeObject, gates: FeatureGates): readonly FieldError[] {
  const errors = wholePodErrors(pod, podValidationOptions(gates, pod.metadata.name ?? ""));
  if (sizeAt(pod, "spec", "ephemeralContainers") > 0) {
    errors.push(fieldForbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (textAt(pod, "spec", "nodeName") && sizeAt(pod, "spec", "schedulingGates") > 0) {
    const detail = "cannot be set until all schedulingGates have been cleared";
    errors.push(fieldForbidden("spec.nodeName", detail));
  }
  addProfileMismatches(errors, pod, "spec");
  return errors;
}

/** Validates the annotations and the spec of a pod, including the rules that pod templates do not have. */
export function wholePodErrors(pod: KubeObject, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const spec = structAt(pod, "spec");
  addPodAnnotations(errors, pod, "metadata.annotations", options);
  return [...errors, ...specErrors(spec, options)];
}

/** The errors of a stored spec. With the same options it needs no second validation. */
const specErrors = rememberedByPart(validateSpec, areSameOptions);

function validateSpec(spec: JsonObject, options: PodValidationOptions): FieldError[] {
  const errors = validatePodSpec(spec, "spec", options);
  addTokensWithoutAccount(errors, spec, "spec");
  for (const list of ["containers", "initContainers"]) {
    for (const [i, container] of listAt(spec, list).entries()) {
      addUntrimmedImage(errors, container, index(child("spec", list), i));
    }
  }
  return errors;
}
