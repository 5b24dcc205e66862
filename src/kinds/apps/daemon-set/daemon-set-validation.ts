import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  addLabelSelectorErrors,
  isValidLabelSelector,
  labelSelectorFromObject,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { addPodTemplateSpecErrors } from "../../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import {
  addIfAbove100Percent,
  addUnlessIntOrPercent,
  isZeroIntOrPercent,
} from "../../workload/int-or-percent.ts";
import { addIfCollisionCountDecremented, addNonnegativeFields } from "../../workload/number-fields.ts";
import { addRestartPolicyErrors, templateOf, templatePath } from "../../workload/pod-template.ts";
import {
  addIfSelectorChanged,
  addIfSelectorEmpty,
  addUnlessSelectorMatches,
} from "../../workload/workload-selector.ts";

const strategyPath = "spec.updateStrategy";

/**
 * Adds the errors in the spec of a DaemonSet.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidateDaemonSetSpec.
 */
export function addDaemonSetErrors(
  errors: Findings,
  daemonSet: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(daemonSet, "spec");
  const template = templateOf(daemonSet);
  addSelector(errors, spec, template);
  const options = templateValidationOptions(gates, old && templateOf(old));
  addPodTemplateSpecErrors(errors, template, templatePath, options);
  addRestartPolicyErrors(errors, template, templatePath, "DaemonSet");
  addNonnegativeFields(errors, spec, "spec", ["minReadySeconds"]);
  addUpdateStrategy(errors, structAt(spec, "updateStrategy"));
  addNonnegativeFields(errors, spec, "spec", ["revisionHistoryLimit"]);
}

/**
 * Adds the errors of an update. Upstream also validates the DaemonSet as a new object, so the answer lists errors in
 * its spec twice.
 */
export function addDaemonSetUpdateErrors(
  errors: Findings,
  daemonSet: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const specErrors: Findings = [];
  addDaemonSetErrors(specErrors, daemonSet, gates, old);
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  addMetadataErrors(errors, daemonSet, rules);
  addAll(errors, specErrors);
  addMetadataUpdateErrors(errors, daemonSet, old);
  addAll(errors, specErrors);
  addIfSelectorChanged(errors, structAt(daemonSet, "spec"), structAt(old, "spec"));
}

/** Adds the errors in the status of a DaemonSet. */
export function addDaemonSetStatusErrors(errors: Findings, daemonSet: KubeObject, old: KubeObject): void {
  const status = structAt(daemonSet, "status");
  addNonnegativeFields(errors, status, "status", [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ]);
  addIfCollisionCountDecremented(errors, status, structAt(old, "status"));
}

/** Unlike in other workloads, a missing selector is not an error, and an invalid one does not add a second error. */
function addSelector(errors: Findings, spec: JsonObject, template: JsonObject): void {
  const { selector } = spec;
  addLabelSelectorErrors(errors, selector, "spec.selector");
  if (isValidLabelSelector(selector)) {
    addUnlessSelectorMatches(errors, template, labelSelectorFromObject(selector), templatePath);
  }
  const given = objectAt(spec, "selector");
  if (given !== undefined) addIfSelectorEmpty(errors, given, "daemonset");
}

function addUpdateStrategy(errors: Findings, strategy: JsonObject): void {
  const path = child(strategyPath, "rollingUpdate");
  const rollingUpdate = objectAt(strategy, "rollingUpdate");
  switch (textAt(strategy, "type")) {
    case "OnDelete":
      return;
    case "RollingUpdate":
      if (rollingUpdate !== undefined) addRollingUpdate(errors, rollingUpdate, path);
      return;
    default: {
      const shown = typedValue("apps.DaemonSetUpdateStrategy", strategy);
      errors.push(fieldNotSupported(strategyPath, shown, ["RollingUpdate", "OnDelete"]));
    }
  }
}

/** Exactly one of `maxUnavailable` and `maxSurge` must not be zero. */
function addRollingUpdate(errors: Findings, { maxUnavailable, maxSurge }: JsonObject, path: string): void {
  const unavailablePath = child(path, "maxUnavailable");
  const surgePath = child(path, "maxSurge");
  addUnlessIntOrPercent(errors, maxUnavailable, unavailablePath);
  addUnlessIntOrPercent(errors, maxSurge, surgePath);
  addIfAbove100Percent(errors, maxUnavailable, unavailablePath);
  addIfAbove100Percent(errors, maxSurge, surgePath);
  if (isZeroIntOrPercent(maxUnavailable) !== isZeroIntOrPercent(maxSurge)) return;
  if (isZeroIntOrPercent(maxSurge)) {
    errors.push(fieldRequired(unavailablePath, "cannot be 0 when maxSurge is 0"));
    return;
  }
  const shown = typedValue("intstr.IntOrString", maxSurge);
  errors.push(fieldInvalid(surgePath, shown, "may not be set when maxUnavailable is non-zero"));
}
