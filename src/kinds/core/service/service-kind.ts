import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { servicePrinter } from "./service-printer.ts";

export const serviceKind: KindDefinition = builtInKind({
  group: "",
  resource: "services",
  kind: "Service",
  printer: servicePrinter,
  quota: { objectCountName: "services" },
  rules: async () => (await import("./service-rules.ts")).serviceRules,
});
