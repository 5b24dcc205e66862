import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, sizeAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goStringSet } from "../../../apimachinery/go/go-string-set.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addAll, collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";
import { addPodAnnotations, addProfileMismatches } from "../../pod-spec/validation/annotations.ts";
import { addUntrimmedImage } from "../../pod-spec/validation/container.ts";
import { addPodSpecErrors } from "../../pod-spec/validation/pod-spec.ts";
import {
  areSameOptions,
  type PodValidationOptions,
  podValidationOptions,
} from "../../pod-spec/validation/pod-validation-options.ts";
import { addTokensWithoutAccount } from "../../pod-spec/validation/volumes.ts";
import { isHugePages } from "../../quantities/resource-names.ts";

/** Validates a new pod. Upstream: pkg/apis/core/validation/validation.go, ValidatePodCreate. */
export function addPodErrors(errors: Findings, pod: KubeObject, gates: FeatureGates): void {
  addWholePodErrors(errors, pod, podValidationOptions(gates, pod.metadata.name ?? ""));
  if (!gates.isEnabled("HugePageStorageMediumSize")) addHugePageMixture(errors, structAt(pod, "spec"));
  if (sizeAt(pod, "spec", "ephemeralContainers") > 0) {
    errors.push(fieldForbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (textAt(pod, "spec", "nodeName") && sizeAt(pod, "spec", "schedulingGates") > 0) {
    const detail = "cannot be set until all schedulingGates have been cleared";
    errors.push(fieldForbidden("spec.nodeName", detail));
  }
  addProfileMismatches(errors, pod, "spec");
}

/** Until 1.18, the containers of a pod use huge pages of one size. */
function addHugePageMixture(errors: Findings, spec: JsonObject): void {
  const names = listAt(spec, "containers").flatMap((container) => [
    ...Object.keys(objectAt(container, "resources", "limits") ?? {}),
    ...Object.keys(objectAt(container, "resources", "requests") ?? {}),
  ]);
  const sizes = new Set(names.filter(isHugePages));
  if (sizes.size <= 1) return;
  errors.push(fieldInvalid("spec", goStringSet(sizes), "must use a single hugepage size in a pod spec"));
}

/** Validates the annotations and the spec of a pod, including the rules that pod templates do not have. */
export function addWholePodErrors(errors: Findings, pod: KubeObject, options: PodValidationOptions): void {
  const spec = structAt(pod, "spec");
  addPodAnnotations(errors, pod, "metadata.annotations", options);
  addAll(errors, specErrors(spec, options));
}

/** The errors of a stored spec. With the same options it needs no second validation. */
const specErrors = rememberedByPart(
  (spec: JsonObject, options: PodValidationOptions) =>
    collectErrors((errors) => addSpecErrors(errors, spec, options)),
  areSameOptions,
);

function addSpecErrors(errors: Findings, spec: JsonObject, options: PodValidationOptions): void {
  addPodSpecErrors(errors, spec, "spec", options);
  addTokensWithoutAccount(errors, spec, "spec");
  for (const list of ["containers", "initContainers"]) {
    listAt(spec, list).forEach((container, i) => {
      addUntrimmedImage(errors, container, index(child("spec", list), i));
    });
  }
}
