import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podDisruptionBudgetV1, podDisruptionBudgetV1beta1 } from "./pod-disruption-budget-conversion.ts";
import {
  betaPodDisruptionBudgetStatusStrategy,
  podDisruptionBudgetStatusStrategy,
  podDisruptionBudgetStrategy,
} from "./pod-disruption-budget-strategy.ts";

export const podDisruptionBudgetRules: BuiltInRules<"poddisruptionbudgets"> = {
  strategy: podDisruptionBudgetStrategy,
  versions: {
    "policy/v1": { conversions: { "policy/v1beta1": podDisruptionBudgetV1 } },
    "policy/v1beta1": { conversions: { "policy/v1": podDisruptionBudgetV1beta1 } },
  },
  subresources: {
    status: {
      strategy: podDisruptionBudgetStatusStrategy,
      versions: { v1beta1: betaPodDisruptionBudgetStatusStrategy },
    },
  },
};
