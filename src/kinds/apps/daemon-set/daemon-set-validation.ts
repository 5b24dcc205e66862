import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goIntOrString, goPointer, goStruct, goText, typedValue } from "../../../apimachinery/go/go-type.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  labelSelectorErrors,
  labelSelectorFromObject,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Findings } from "../../findings/findings.ts";
import { validatePodTemplateSpec } from "../../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { addUnlessAtMostAll, addUnlessIntOrPercent, isNothing } from "../../workload/int-or-percent.ts";
import { addNonnegativeFields, addUnlessGrown } from "../../workload/number-fields.ts";
import { addUnlessAlwaysRunning, templateOf, templatePath } from "../../workload/pod-template.ts";
import {
  addIfSelectorChanged,
  addUnlessSelected,
  addUnlessSelective,
  isUnderstood,
} from "../../workload/workload-selector.ts";

const strategyPath = "spec.updateStrategy";

const goRollingUpdate = goStruct("apps.RollingUpdateDaemonSet", [
  ["MaxUnavailable", "maxUnavailable", goIntOrString],
  ["MaxSurge", "maxSurge", goIntOrString],
]);
const goUpdateStrategy = goStruct("apps.DaemonSetUpdateStrategy", [
  ["Type", "type", goText],
  ["RollingUpdate", "rollingUpdate", goPointer("apps.RollingUpdateDaemonSet", goRollingUpdate)],
]);

/** What is wrong with a new DaemonSet. */
export function daemonSetErrors(daemonSet: KubeObject, gates: FeatureGates, old?: KubeObject): Findings {
  const errors: Findings = [];
  const spec = structAt(daemonSet, "spec");
  const template = templateOf(daemonSet);
  addSelector(errors, spec, template);
  const options = templateValidationOptions(gates, old && templateOf(old));
  errors.push(...validatePodTemplateSpec(template, templatePath, options));
  addUnlessAlwaysRunning(errors, template, templatePath, "DaemonSet");
  addNonnegativeFields(errors, spec, "spec", ["minReadySeconds"]);
  addUpdateStrategy(errors, structAt(spec, "updateStrategy"));
  addNonnegativeFields(errors, spec, "spec", ["revisionHistoryLimit"]);
  return errors;
}

/** What is wrong with a changed DaemonSet. Upstream validates it as a new one as well, and the causes show it. */
export function daemonSetUpdateErrors(daemonSet: KubeObject, old: KubeObject, gates: FeatureGates): Findings {
  const once = daemonSetErrors(daemonSet, gates, old);
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  const whole = [...metadataErrors(daemonSet, rules), ...once];
  const errors = [...whole, ...metadataUpdateErrors(daemonSet, old), ...once];
  addIfSelectorChanged(errors, structAt(daemonSet, "spec"), structAt(old, "spec"));
  return errors;
}

/** What is wrong with the status of a DaemonSet. */
export function daemonSetStatusErrors(daemonSet: KubeObject, old: KubeObject): Findings {
  const errors: Findings = [];
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
  addUnlessGrown(errors, status, structAt(old, "status"));
  return errors;
}

/** Unlike that of other workloads, a selector that is missing or is not understood is no finding of its own. */
function addSelector(errors: Findings, spec: JsonObject, template: JsonObject): void {
  const { selector } = spec;
  errors.push(...labelSelectorErrors(selector, "spec.selector"));
  if (isUnderstood(selector)) {
    addUnlessSelected(errors, template, labelSelectorFromObject(selector), templatePath);
  }
  const given = objectAt(spec, "selector");
  if (given !== undefined) addUnlessSelective(errors, given, "daemonset");
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
      const shown = typedValue(goUpdateStrategy, strategy);
      errors.push(fieldNotSupported(strategyPath, shown, ["RollingUpdate", "OnDelete"]));
    }
  }
}

/** Either pods go before others come, or after: one of the two numbers, and only one, is something. */
function addRollingUpdate(errors: Findings, { maxUnavailable, maxSurge }: JsonObject, path: string): void {
  const unavailablePath = child(path, "maxUnavailable");
  const surgePath = child(path, "maxSurge");
  addUnlessIntOrPercent(errors, maxUnavailable, unavailablePath);
  addUnlessIntOrPercent(errors, maxSurge, surgePath);
  addUnlessAtMostAll(errors, maxUnavailable, unavailablePath);
  addUnlessAtMostAll(errors, maxSurge, surgePath);
  if (isNothing(maxUnavailable) !== isNothing(maxSurge)) return;
  if (isNothing(maxSurge)) {
    errors.push(fieldRequired(unavailablePath, "cannot be 0 when maxSurge is 0"));
    return;
  }
  const shown = typedValue(goIntOrString, maxSurge);
  errors.push(fieldInvalid(surgePath, shown, "may not be set when maxUnavailable is non-zero"));
}
