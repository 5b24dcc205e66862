import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const endpointsKind: KindDefinition = builtInKind({
  group: "",
  resource: "endpoints",
  kind: "Endpoints",
  printer: async () => (await import("./endpoints-printer.ts")).endpointsPrinter,
  rules: async () => (await import("./endpoints-rules.ts")).endpointsRules,
});
