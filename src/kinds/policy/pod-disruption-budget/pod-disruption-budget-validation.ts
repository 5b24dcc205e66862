import { fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addLabelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { addConditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addIfAbove100Percent, addUnlessIntOrPercent } from "../../workload/int-or-percent.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";

const evictionPolicies = ["AlwaysAllow", "IfHealthyBudget"];

/**
 * Adds the errors in a PodDisruptionBudget.
 * Upstream: pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetSpec.
 */
export function addPodDisruptionBudgetErrors(errors: Findings, budget: KubeObject): void {
  const spec = structAt(budget, "spec");
  const { minAvailable, maxUnavailable, selector } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    errors.push(fieldInvalid("spec", typedValue("policy.PodDisruptionBudgetSpec", spec), detail));
  }
  for (const field of ["minAvailable", "maxUnavailable"]) addLimit(errors, spec, field);
  addLabelSelectorErrors(errors, selector, "spec.selector");
  const policy = textAt(spec, "unhealthyPodEvictionPolicy");
  if (spec["unhealthyPodEvictionPolicy"] !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(fieldNotSupported("spec.unhealthyPodEvictionPolicy", policy, evictionPolicies));
  }
}

function addLimit(errors: Findings, spec: JsonObject, field: string): void {
  if (spec[field] === undefined) return;
  addUnlessIntOrPercent(errors, spec[field], `spec.${field}`);
  addIfAbove100Percent(errors, spec[field], `spec.${field}`);
}

/** Adds the errors in the conditions of the status. */
export function addPodDisruptionBudgetConditionErrors(errors: Findings, budget: KubeObject): void {
  addConditionErrors(errors, listAt(budget, "status", "conditions"), "status.conditions");
}

/**
 * Adds the errors in the status.
 * Upstream: pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetStatusUpdate.
 */
export function addPodDisruptionBudgetStatusErrors(errors: Findings, budget: KubeObject): void {
  const status = structAt(budget, "status");
  addPodDisruptionBudgetConditionErrors(errors, budget);
  const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
  addNonnegativeFields(errors, status, "status", counts);
}
