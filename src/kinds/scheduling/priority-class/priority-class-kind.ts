import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const priorityClassKind: KindDefinition = builtInKind({
  group: "scheduling.k8s.io",
  resource: "priorityclasses",
  kind: "PriorityClass",
  printer: async () => (await import("./priority-class-printer.ts")).priorityClassPrinter,
  rules: async () => (await import("./priority-class-rules.ts")).priorityClassRules,
});
