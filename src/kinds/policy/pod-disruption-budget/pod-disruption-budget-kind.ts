import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { policyPrinters } from "../../printers/policy.ts";

export const podDisruptionBudgetKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  printer: policyPrinters["poddisruptionbudgets"],
  rules: async () => (await import("./pod-disruption-budget-rules.ts")).podDisruptionBudgetRules,
});
