import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { deviceTaintRulePrinter } from "./device-taint-rule-printer.ts";

export const deviceTaintRuleKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "devicetaintrules",
  kind: "DeviceTaintRule",
  printer: deviceTaintRulePrinter,
});
