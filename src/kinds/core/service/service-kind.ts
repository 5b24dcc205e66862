import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const serviceKind: KindDefinition = builtInKind({
  group: "",
  resource: "services",
  kind: "Service",
  printer: corePrinters["services"],
  quota: { objectCountName: "services" },
  rules: async () => (await import("./service-rules.ts")).serviceRules,
});
