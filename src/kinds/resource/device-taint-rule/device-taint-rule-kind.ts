import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const deviceTaintRuleKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "devicetaintrules",
  kind: "DeviceTaintRule",
  printer: resourcePrinters["devicetaintrules"],
});
