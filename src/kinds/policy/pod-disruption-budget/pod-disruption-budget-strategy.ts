import { structAt } from "../../../apimachinery/fields.ts";
import type { MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { budgetSelector, plainSelector } from "./budget-selector.ts";
import {
  addPodDisruptionBudgetConditionErrors,
  addPodDisruptionBudgetErrors,
  addPodDisruptionBudgetStatusErrors,
} from "./pod-disruption-budget-validation.ts";

const gatedFields = [gatedField("PDBUnhealthyPodEvictionPolicy", "spec", "unhealthyPodEvictionPolicy")];

/** The first release with policy/v1. Earlier releases have one version and need no special label. */

/** The strategy of PodDisruptionBudgets. Upstream validates their specs, but not their metadata. */
export function podDisruptionBudgetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(base, gates, gatedFields);
  return {
    ...withGeneration(
      gates.since("1.21") ? withPreparation(gated, dropSpecialLabel) : gated,
      changed("spec"),
    ),
    metadataChecks: { create: "own", update: "own" },
    validate: addPodDisruptionBudgetErrors,
    validateUpdate: addPodDisruptionBudgetErrors,
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
  return {
    ...statusStrategy(base),
    metadataChecks: base.metadataChecks,
    validateUpdate: addPodDisruptionBudgetStatusErrors,
  };
}

/** The strategy of `/status` in v1beta1, which does not validate the counts. */
export function betaPodDisruptionBudgetStatusStrategy(base: Strategy): Strategy {
  return {
    ...podDisruptionBudgetStatusStrategy(base),
    validateUpdate: addPodDisruptionBudgetConditionErrors,
  };
}
