import { fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goLabelSelector, goPointer, goStruct, typedValue } from "../../../apimachinery/go/go-type.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { conditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import type { Findings } from "../../findings/findings.ts";
import { addIfAbove100Percent, addUnlessIntOrPercent } from "../../workload/int-or-percent.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { budgetSelector, plainSelector } from "./budget-selector.ts";

const goSpec = goStruct("policy.PodDisruptionBudgetSpec", [
  ["MinAvailable", "minAvailable", goPointer("intstr.IntOrString")],
  ["Selector", "selector", goPointer("v1.LabelSelector", goLabelSelector)],
  ["MaxUnavailable", "maxUnavailable", goPointer("intstr.IntOrString")],
  [
    "UnhealthyPodEvictionPolicy",
    "unhealthyPodEvictionPolicy",
    goPointer("policy.UnhealthyPodEvictionPolicyType"),
  ],
]);

const gatedFields = [gatedField("PDBUnhealthyPodEvictionPolicy", "spec", "unhealthyPodEvictionPolicy")];

/** The first release with policy/v1. Earlier releases have one version and need no special label. */
const firstReleaseWithV1 = 21;

const evictionPolicies = ["AlwaysAllow", "IfHealthyBudget"];

/** The strategy of PodDisruptionBudgets. Upstream validates their specs, but not their metadata. */
export function podDisruptionBudgetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(base, gates, gatedFields);
  return {
    ...withGeneration(
      gates.minor < firstReleaseWithV1 ? gated : withPreparation(gated, dropSpecialLabel),
      changed("spec"),
    ),
    metadataChecks: { create: "own", update: "own" },
    validate: specErrors,
    validateUpdate: specErrors,
  };
}

/** Clients cannot use the label that the conversions reserve. */
function dropSpecialLabel(budget: MutableKubeObject): void {
  const selector = budgetSelector(budget);
  if (selector === undefined) return;
  budget["spec"] = { ...structAt(budget, "spec"), selector: plainSelector(selector, budget.apiVersion) };
}

/** The strategy of `/status`. */
export function podDisruptionBudgetStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), metadataChecks: base.metadataChecks, validateUpdate: statusErrors };
}

/** The strategy of `/status` in v1beta1, which does not validate the counts. */
export function betaPodDisruptionBudgetStatusStrategy(base: Strategy): Strategy {
  return { ...podDisruptionBudgetStatusStrategy(base), validateUpdate: statusConditionErrors };
}

function specErrors(budget: KubeObject): Findings {
  const errors: Findings = [];
  const spec = structAt(budget, "spec");
  const { minAvailable, maxUnavailable, selector } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    errors.push(fieldInvalid("spec", typedValue(goSpec, spec), detail));
  }
  for (const field of ["minAvailable", "maxUnavailable"]) addLimit(errors, spec, field);
  errors.push(...labelSelectorErrors(selector, "spec.selector"));
  const policy = textAt(spec, "unhealthyPodEvictionPolicy");
  if (spec["unhealthyPodEvictionPolicy"] !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(fieldNotSupported("spec.unhealthyPodEvictionPolicy", policy, evictionPolicies));
  }
  return errors;
}

function addLimit(errors: Findings, spec: JsonObject, field: string): void {
  if (spec[field] === undefined) return;
  addUnlessIntOrPercent(errors, spec[field], `spec.${field}`);
  addIfAbove100Percent(errors, spec[field], `spec.${field}`);
}

function statusConditionErrors(budget: KubeObject): Findings {
  return conditionErrors(listAt(budget, "status", "conditions"), "status.conditions");
}

function statusErrors(budget: KubeObject): Findings {
  const status = structAt(budget, "status");
  const errors = statusConditionErrors(budget);
  const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
  addNonnegativeFields(errors, status, "status", counts);
  return errors;
}
