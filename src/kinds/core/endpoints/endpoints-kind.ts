import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const endpointsKind: KindDefinition = builtInKind({
  group: "",
  resource: "endpoints",
  kind: "Endpoints",
  printer: corePrinters["endpoints"],
  rules: async () => (await import("./endpoints-rules.ts")).endpointsRules,
});
