import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import {
  goInteger,
  goIntOrString,
  goPointer,
  goStruct,
  goText,
  typedValue,
} from "../../../apimachinery/go/go-type.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { annotationErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addUnlessNonnegative, type Findings } from "../../findings/findings.ts";
import { stringsAt } from "../../findings/string-map.ts";
import { addPodAnnotations } from "../../pod-spec/validation/annotations.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { addUnlessAtMostAll, addUnlessIntOrPercent, isNothing } from "../../workload/int-or-percent.ts";
import { addNonnegativeFields, addUnlessAmong, addUnlessGrown } from "../../workload/number-fields.ts";
import { addUnlessAlwaysRunning, templateOf, templatePath } from "../../workload/pod-template.ts";
import {
  addSelectorOfWorkload,
  addUnlessSelected,
  understoodSelector,
} from "../../workload/workload-selector.ts";

const strategyPath = "spec.updateStrategy";

const goRollingUpdate = goStruct("apps.RollingUpdateStatefulSetStrategy", [
  ["Partition", "partition", goInteger],
  ["MaxUnavailable", "maxUnavailable", goPointer("intstr.IntOrString")],
]);
const goUpdateStrategy = goStruct("apps.StatefulSetUpdateStrategy", [
  ["Type", "type", goText],
  ["RollingUpdate", "rollingUpdate", goPointer("apps.RollingUpdateStatefulSetStrategy", goRollingUpdate)],
]);

/** What may change of a StatefulSet, in the order of the message, and since which release. */
const changeable: readonly (readonly [field: string, since: number])[] = [
  ["replicas", 16],
  ["ordinals", 26],
  ["template", 16],
  ["updateStrategy", 16],
  ["revisionHistoryLimit", 33],
  ["persistentVolumeClaimRetentionPolicy", 23],
  ["minReadySeconds", 22],
];

/** What is wrong with a StatefulSet. */
export function statefulSetErrors(statefulSet: KubeObject, gates: FeatureGates, old?: KubeObject): Findings {
  const errors: Findings = [];
  const spec = structAt(statefulSet, "spec");
  addPodManagementPolicy(errors, textAt(spec, "podManagementPolicy"));
  addUpdateStrategy(errors, structAt(spec, "updateStrategy"));
  addRetentionPolicy(errors, objectAt(spec, "persistentVolumeClaimRetentionPolicy"));
  addNonnegativeFields(errors, spec, "spec", ["replicas", "minReadySeconds"]);
  addUnlessNonnegative(errors, integerAt(spec, "ordinals", "start"), "spec.ordinals.start");
  addSelectorOfWorkload(errors, spec, "statefulset");
  addTemplate(errors, statefulSet, gates, old);
  addUnlessAlwaysRunning(errors, templateOf(statefulSet), templatePath, "StatefulSet");
  return errors;
}

/** What is wrong with a changed StatefulSet. */
export function statefulSetUpdateErrors(
  statefulSet: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): Findings {
  const errors = statefulSetErrors(statefulSet, gates, old);
  const fields = changeable.filter(([, since]) => gates.minor >= since).map(([field]) => field);
  const kept = (object: KubeObject) => without(structAt(object, "spec"), fields);
  if (jsonEqual(kept(statefulSet), kept(old))) return errors;
  const rule = `updates to statefulset spec for fields other than ${listed(fields)} are forbidden`;
  errors.push(fieldForbidden("spec", rule));
  return errors;
}

/** What is wrong with the status of a StatefulSet. */
export function statefulSetStatusErrors(statefulSet: KubeObject, old: KubeObject): Findings {
  const errors: Findings = [];
  const status = structAt(statefulSet, "status");
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  const others = ["observedGeneration", "collisionCount"];
  addNonnegativeFields(errors, status, "status", ["replicas", ...parts, ...others]);
  addUnlessAmong(errors, status, "replicas", parts, "cannot be greater than status.replicas");
  const detail = "cannot be greater than status.readyReplicas";
  addUnlessAmong(errors, status, "readyReplicas", ["availableReplicas"], detail);
  addUnlessGrown(errors, status, structAt(old, "status"));
  return errors;
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
      const shown = typedValue(goRollingUpdate, rollingUpdate);
      errors.push(fieldInvalid(path, shown, "only allowed for updateStrategy 'RollingUpdate'"));
      return;
    }
    case "RollingUpdate":
      if (rollingUpdate !== undefined) addRollingUpdate(errors, rollingUpdate, path);
      return;
    default: {
      const shown = typedValue(goUpdateStrategy, strategy);
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
  if (isNothing(maxUnavailable)) {
    errors.push(fieldInvalid(field, typedValue(goIntOrString, maxUnavailable), "cannot be 0"));
  }
  addUnlessAtMostAll(errors, maxUnavailable, field);
}

function addRetentionPolicy(errors: Findings, policy: JsonObject | undefined): void {
  if (policy === undefined) return;
  for (const occasion of ["whenDeleted", "whenScaled"]) {
    const choice = textAt(policy, occasion);
    if (choice === "Retain" || choice === "Delete") continue;
    const path = child("spec.persistentVolumeClaimRetentionPolicy", occasion);
    errors.push(fieldNotSupported(path, choice, ["Retain", "Delete"]));
  }
}

/** The spec of the pods is not looked at: the volumes of the claims are not among its own. */
function addTemplate(
  errors: Findings,
  statefulSet: KubeObject,
  gates: FeatureGates,
  old: KubeObject | undefined,
): void {
  const selector = understoodSelector(errors, structAt(statefulSet, "spec"), "");
  if (selector === undefined) return;
  const template = templateOf(statefulSet);
  addUnlessSelected(errors, template, selector, templatePath);
  const annotationsPath = child(templatePath, "annotations");
  errors.push(...labelErrors(stringsAt(template, "metadata", "labels"), child(templatePath, "labels")));
  errors.push(...annotationErrors(stringsAt(template, "metadata", "annotations"), annotationsPath));
  const options = templateValidationOptions(gates, old && templateOf(old));
  addPodAnnotations(errors, template, annotationsPath, options);
}

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

function listed(fields: readonly string[]): string {
  const quoted = fields.map((field) => `'${field}'`);
  // Three fields have a comma more.
  const comma = fields.length === 3 ? "," : "";
  return `${quoted.slice(0, -1).join(", ")}${comma} and ${quoted.at(-1)}`;
}
