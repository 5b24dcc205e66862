import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { flowcontrolPrinters } from "../../printers/flowcontrol.ts";

export const priorityLevelConfigurationKind: KindDefinition = builtInKind({
  group: "flowcontrol.apiserver.k8s.io",
  resource: "prioritylevelconfigurations",
  kind: "PriorityLevelConfiguration",
  printer: flowcontrolPrinters["prioritylevelconfigurations"],
  rules: async () =>
    (await import("./priority-level-configuration-rules.ts")).priorityLevelConfigurationRules,
});
