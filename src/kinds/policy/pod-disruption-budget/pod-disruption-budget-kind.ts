import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podDisruptionBudgetKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  printer: async () => (await import("./pod-disruption-budget-printer.ts")).podDisruptionBudgetPrinter,
  rules: async () => (await import("./pod-disruption-budget-rules.ts")).podDisruptionBudgetRules,
});
