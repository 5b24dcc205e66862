import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const priorityLevelConfigurationKind: KindDefinition = builtInKind({
  group: "flowcontrol.apiserver.k8s.io",
  resource: "prioritylevelconfigurations",
  kind: "PriorityLevelConfiguration",
  printer: async () =>
    (await import("./priority-level-configuration-printer.ts")).priorityLevelConfigurationPrinter,
  rules: async () =>
    (await import("./priority-level-configuration-rules.ts")).priorityLevelConfigurationRules,
});
