import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const deviceTaintRuleKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "devicetaintrules",
  kind: "DeviceTaintRule",
  printer: async () => (await import("./device-taint-rule-printer.ts")).deviceTaintRulePrinter,
});
