import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, stringsAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addUnlessNonnegative, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { addAnnotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addPodAnnotations } from "../../pod-spec/validation/annotations.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import {
  addIfAbove100Percent,
  addUnlessIntOrPercent,
  isZeroIntOrPercent,
} from "../../workload/int-or-percent.ts";
import {
  addIfAboveCount,
  addIfCollisionCountDecremented,
  addNonnegativeFields,
} from "../../workload/number-fields.ts";
import { addRestartPolicyErrors, templateOf, templatePath } from "../../workload/pod-template.ts";
import {
  addSelectorErrors,
  addUnlessSelectorMatches,
  parsedSelector,
} from "../../workload/workload-selector.ts";

const strategyPath = "spec.updateStrategy";

/** The mutable fields of the spec, in the order of the message, with the release that made them mutable. */
const mutableFields: readonly (readonly [field: string, first: Release])[] = [
  ["replicas", "1.16"],
  ["ordinals", "1.26"],
  ["template", "1.16"],
  ["updateStrategy", "1.16"],
  ["revisionHistoryLimit", "1.33"],
  ["persistentVolumeClaimRetentionPolicy", "1.23"],
  ["minReadySeconds", "1.22"],
];

/**
 * Adds the errors in the spec of a StatefulSet.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidateStatefulSetSpec.
 */
export function addStatefulSetErrors(
  errors: Findings,
  statefulSet: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(statefulSet, "spec");
  addPodManagementPolicy(errors, textAt(spec, "podManagementPolicy"));
  addUpdateStrategy(errors, structAt(spec, "updateStrategy"));
  addRetentionPolicy(errors, objectAt(spec, "persistentVolumeClaimRetentionPolicy"));
  addNonnegativeFields(errors, spec, "spec", ["replicas", "minReadySeconds"]);
  addUnlessNonnegative(errors, integerAt(spec, "ordinals", "start"), "spec.ordinals.start");
  addSelectorErrors(errors, spec, "statefulset");
  addTemplate(errors, statefulSet, gates, old);
  addRestartPolicyErrors(errors, templateOf(statefulSet), templatePath, "StatefulSet");
}

/** Adds the errors of an update. Upstream: pkg/apis/apps/validation/validation.go, ValidateStatefulSetUpdate. */
export function addStatefulSetUpdateErrors(
  errors: Findings,
  statefulSet: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  addStatefulSetErrors(errors, statefulSet, gates, old);
  const fields = mutableFields.filter(([, first]) => gates.since(first)).map(([field]) => field);
  const immutableSpec = (object: KubeObject) => without(structAt(object, "spec"), fields);
  if (jsonEqual(immutableSpec(statefulSet), immutableSpec(old))) return;
  const rule = `updates to statefulset spec for fields other than ${enumerated(fields)} are forbidden`;
  errors.push(fieldForbidden("spec", rule));
}

/** Adds the errors in the status of a StatefulSet. */
export function addStatefulSetStatusErrors(errors: Findings, statefulSet: KubeObject, old: KubeObject): void {
  const status = structAt(statefulSet, "status");
  const podCounts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  const others = ["observedGeneration", "collisionCount"];
  addNonnegativeFields(errors, status, "status", ["replicas", ...podCounts, ...others]);
  addIfAboveCount(errors, status, "replicas", podCounts, "cannot be greater than status.replicas");
  const detail = "cannot be greater than status.readyReplicas";
  addIfAboveCount(errors, status, "readyReplicas", ["availableReplicas"], detail);
  addIfCollisionCountDecremented(errors, status, structAt(old, "status"));
}

function addPodManagementPolicy(errors: Findings, policy: string): void {
  const path = "spec.podManagementPolicy";
  if (policy === "OrderedReady" || policy === "Parallel") return;
  errors.push(fieldInvalid(path, policy, "must be 'OrderedReady' or 'Parallel'"));
}

function addUpdateStrategy(errors: Findings, strategy: JsonObject): void {
  const path = child(strategyPath, "rollingUpdate");
  const rollingUpdate = objectAt(strategy, "rollingUpdate");
  switch (textAt(strategy, "type")) {
    case "OnDelete": {
      if (rollingUpdate === undefined) return;
      const shown = typedValue("apps.RollingUpdateStatefulSetStrategy", rollingUpdate);
      errors.push(fieldInvalid(path, shown, "only allowed for updateStrategy 'RollingUpdate'"));
      return;
    }
    case "RollingUpdate":
      if (rollingUpdate !== undefined) addRollingUpdate(errors, rollingUpdate, path);
      return;
    default: {
      const shown = typedValue("apps.StatefulSetUpdateStrategy", strategy);
      errors.push(fieldInvalid(strategyPath, shown, "must be 'RollingUpdate' or 'OnDelete'"));
    }
  }
}

function addRollingUpdate(errors: Findings, rollingUpdate: JsonObject, path: string): void {
  addNonnegativeFields(errors, rollingUpdate, path, ["partition"]);
  const { maxUnavailable } = rollingUpdate;
  if (maxUnavailable === undefined) return;
  const field = child(path, "maxUnavailable");
  addUnlessIntOrPercent(errors, maxUnavailable, field);
  if (isZeroIntOrPercent(maxUnavailable)) {
    errors.push(fieldInvalid(field, typedValue("intstr.IntOrString", maxUnavailable), "cannot be 0"));
  }
  addIfAbove100Percent(errors, maxUnavailable, field);
}

function addRetentionPolicy(errors: Findings, policy: JsonObject | undefined): void {
  if (policy === undefined) return;
  for (const field of ["whenDeleted", "whenScaled"]) {
    const choice = textAt(policy, field);
    if (choice === "Retain" || choice === "Delete") continue;
    const path = child("spec.persistentVolumeClaimRetentionPolicy", field);
    errors.push(fieldNotSupported(path, choice, ["Retain", "Delete"]));
  }
}

/** Upstream does not validate the spec of the pods, which may refer to volumes of the claim templates. */
function addTemplate(
  errors: Findings,
  statefulSet: KubeObject,
  gates: FeatureGates,
  old: KubeObject | undefined,
): void {
  const selector = parsedSelector(errors, structAt(statefulSet, "spec"), "");
  if (selector === undefined) return;
  const template = templateOf(statefulSet);
  addUnlessSelectorMatches(errors, template, selector, templatePath);
  const annotationsPath = child(templatePath, "annotations");
  addLabelErrors(errors, stringsAt(template, "metadata", "labels"), child(templatePath, "labels"));
  addAnnotationErrors(errors, stringsAt(template, "metadata", "annotations"), annotationsPath);
  const options = templateValidationOptions(gates, old && templateOf(old));
  addPodAnnotations(errors, template, annotationsPath, options);
}

function enumerated(fields: readonly string[]): string {
  const quoted = fields.map((field) => `'${field}'`);
  // Early releases list three fields, with a comma before the "and".
  const comma = fields.length === 3 ? "," : "";
  return `${quoted.slice(0, -1).join(", ")}${comma} and ${quoted.at(-1)}`;
}
