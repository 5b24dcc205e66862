import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { podDisruptionBudgetPrinter } from "./pod-disruption-budget-printer.ts";

export const podDisruptionBudgetKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  printer: podDisruptionBudgetPrinter,
  rules: async () => (await import("./pod-disruption-budget-rules.ts")).podDisruptionBudgetRules,
});
