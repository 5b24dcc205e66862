import { fieldForbidden, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { integerAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  addIfAbove100Percent,
  addUnlessIntOrPercent,
  isZeroIntOrPercent,
} from "../../workload/int-or-percent.ts";
import { addIfCollisionCountDecremented, addNonnegativeFields } from "../../workload/number-fields.ts";
import { addIfAboveReplicas } from "../../workload/replica-status.ts";
import { addReplicaTemplateErrors } from "../../workload/replica-template.ts";
import { addIfSelectorChanged, addSelectorErrors } from "../../workload/workload-selector.ts";

const strategyPath = "spec.strategy";

/**
 * Adds the errors in the spec of a Deployment; `old` is undefined on create.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidateDeploymentSpec.
 */
export function addDeploymentErrors(
  errors: Findings,
  deployment: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(deployment, "spec");
  addNonnegativeFields(errors, spec, "spec", ["replicas"]);
  addSelectorErrors(errors, spec, "deployment");
  addReplicaTemplateErrors(errors, deployment, gates, old);
  addStrategy(errors, structAt(spec, "strategy"));
  addNonnegativeFields(errors, spec, "spec", [
    "minReadySeconds",
    "revisionHistoryLimit",
    "progressDeadlineSeconds",
  ]);
  addProgressDeadlineErrors(errors, spec);
  if (old !== undefined) addIfSelectorChanged(errors, spec, structAt(old, "spec"));
}

/** Adds the errors in the status of a Deployment. */
export function addDeploymentStatusErrors(errors: Findings, deployment: KubeObject, old: KubeObject): void {
  const status = structAt(deployment, "status");
  addNonnegativeFields(errors, status, "status", [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ]);
  addIfAboveReplicas(errors, status, ["updatedReplicas", "readyReplicas", "availableReplicas"]);
  addIfCollisionCountDecremented(errors, status, structAt(old, "status"));
}

function addStrategy(errors: Findings, strategy: JsonObject): void {
  const path = child(strategyPath, "rollingUpdate");
  const rollingUpdate = objectAt(strategy, "rollingUpdate");
  switch (textAt(strategy, "type")) {
    case "Recreate":
      if (rollingUpdate === undefined) return;
      errors.push(fieldForbidden(path, "may not be specified when strategy `type` is 'Recreate'"));
      return;
    case "RollingUpdate":
      if (rollingUpdate !== undefined) addRollingUpdate(errors, rollingUpdate, path);
      return;
    default: {
      const shown = typedValue("apps.DeploymentStrategy", strategy);
      errors.push(fieldNotSupported(strategyPath, shown, ["Recreate", "RollingUpdate"]));
    }
  }
}

function addRollingUpdate(errors: Findings, { maxUnavailable, maxSurge }: JsonObject, path: string): void {
  const field = child(path, "maxUnavailable");
  addUnlessIntOrPercent(errors, maxUnavailable, field);
  addUnlessIntOrPercent(errors, maxSurge, child(path, "maxSurge"));
  if (isZeroIntOrPercent(maxUnavailable) && isZeroIntOrPercent(maxSurge)) {
    const shown = typedValue("intstr.IntOrString", maxUnavailable ?? 0);
    errors.push(fieldInvalid(field, shown, "may not be 0 when `maxSurge` is 0"));
  }
  addIfAbove100Percent(errors, maxUnavailable, field);
}

function addProgressDeadlineErrors(errors: Findings, spec: JsonObject): void {
  if (spec["progressDeadlineSeconds"] === undefined) return;
  const deadline = integerAt(spec, "progressDeadlineSeconds");
  if (deadline > integerAt(spec, "minReadySeconds")) return;
  errors.push(fieldInvalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"));
}
