import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const deviceClassKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "deviceclasses",
  kind: "DeviceClass",
  printer: resourcePrinters["deviceclasses"],
  rules: async () => (await import("./device-class-rules.ts")).deviceClassRules,
});
