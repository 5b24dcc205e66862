import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { schedulingPrinters } from "../../printers/machinery.ts";

export const priorityClassKind: KindDefinition = builtInKind({
  group: "scheduling.k8s.io",
  resource: "priorityclasses",
  kind: "PriorityClass",
  printer: schedulingPrinters["priorityclasses"],
  rules: async () => (await import("./priority-class-rules.ts")).priorityClassRules,
});
