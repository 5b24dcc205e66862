import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetric } from "./metric-validation.ts";
import { addObjectReference } from "./object-reference.ts";

const windowMax = 3600;
const periodMax = 1800;
const selectPolicies = ["Disabled", "Max", "Min"];
const policyTypes = ["Percent", "Pods"];

/**
 * Adds the errors in a HorizontalPodAutoscaler; `old` is undefined on create.
 * Upstream: pkg/apis/autoscaling/validation/validation.go, validateHorizontalPodAutoscalerSpec.
 */
export function addAutoscalerErrors(
  errors: Findings,
  autoscaler: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(autoscaler, "spec");
  addReplicas(errors, spec, gates, old && structAt(old, "spec"));
  addObjectReference(errors, structAt(spec, "scaleTargetRef"), "spec.scaleTargetRef");
  addMetrics(errors, spec);
  addBehavior(errors, objectAt(spec, "behavior"));
}

/** Zero replicas require the feature gate HPAScaleToZero, unless the old object already has them. */
function addReplicas(
  errors: Findings,
  spec: JsonObject,
  gates: FeatureGates,
  old: JsonObject | undefined,
): void {
  const { minReplicas } = spec;
  const minimum = gates.isEnabled("HPAScaleToZero") || old?.["minReplicas"] === 0 ? 0 : 1;
  if (typeof minReplicas === "number" && minReplicas < minimum) {
    const detail = `must be greater than or equal to ${minimum}`;
    errors.push(fieldInvalid("spec.minReplicas", minReplicas, detail));
  }
  const maxReplicas = numberAt(spec, "maxReplicas");
  if (maxReplicas < 1) errors.push(fieldInvalid("spec.maxReplicas", maxReplicas, "must be greater than 0"));
  if (typeof minReplicas === "number" && maxReplicas < minReplicas) {
    const detail = "must be greater than or equal to `minReplicas`";
    errors.push(fieldInvalid("spec.maxReplicas", maxReplicas, detail));
  }
}

function addMetrics(errors: Findings, spec: JsonObject): void {
  const path = "spec.metrics";
  const metrics = listAt(spec, "metrics");
  for (const [position, metric] of metrics.entries()) addMetric(errors, metric, index(path, position));
  if (spec["minReplicas"] !== 0) return;
  if (metrics.some(({ type }) => type === "Object" || type === "External")) return;
  const detail = "must specify at least one Object or External metric to support scaling to zero replicas";
  errors.push(fieldForbidden(path, detail));
}

function addBehavior(errors: Findings, behavior: JsonObject | undefined): void {
  if (behavior === undefined) return;
  for (const direction of ["scaleUp", "scaleDown"]) {
    const rules = objectAt(behavior, direction);
    if (rules !== undefined) addScalingRules(errors, rules, child("spec.behavior", direction));
  }
}

function addScalingRules(errors: Findings, rules: JsonObject, path: string): void {
  const window = numberAt(rules, "stabilizationWindowSeconds");
  const windowPath = child(path, "stabilizationWindowSeconds");
  if (window < 0) errors.push(fieldInvalid(windowPath, window, "must be greater than or equal to zero"));
  if (window > windowMax) {
    errors.push(fieldInvalid(windowPath, window, `must be less than or equal to ${windowMax}`));
  }
  const { selectPolicy } = rules;
  if (typeof selectPolicy === "string" && !selectPolicies.includes(selectPolicy)) {
    errors.push(fieldNotSupported(child(path, "selectPolicy"), selectPolicy, selectPolicies));
  }
  const policies = listAt(rules, "policies");
  const policiesPath = child(path, "policies");
  if (policies.length === 0) errors.push(fieldRequired(policiesPath, "must specify at least one Policy"));
  for (const [position, policy] of policies.entries()) {
    addPolicy(errors, policy, index(policiesPath, position));
  }
  addTolerance(errors, rules, path);
}

function addTolerance(errors: Findings, rules: JsonObject, path: string): void {
  const { tolerance } = rules;
  if (typeof tolerance !== "string" || parseQuantity(tolerance).sign >= 0) return;
  const shown = typedValue("resource.Quantity", tolerance);
  errors.push(fieldInvalid(child(path, "tolerance"), shown, "must be greater or equal to zero"));
}

function addPolicy(errors: Findings, policy: JsonObject, path: string): void {
  const type = textAt(policy, "type");
  if (!policyTypes.includes(type)) errors.push(fieldNotSupported(child(path, "type"), type, policyTypes));
  const value = numberAt(policy, "value");
  if (value <= 0) errors.push(fieldInvalid(child(path, "value"), value, "must be greater than zero"));
  const period = numberAt(policy, "periodSeconds");
  const periodPath = child(path, "periodSeconds");
  if (period <= 0) errors.push(fieldInvalid(periodPath, period, "must be greater than zero"));
  if (period > periodMax) {
    errors.push(fieldInvalid(periodPath, period, `must be less than or equal to ${periodMax}`));
  }
}
