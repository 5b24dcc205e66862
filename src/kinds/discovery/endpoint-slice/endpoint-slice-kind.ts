import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { discoveryPrinters } from "../../printers/networking.ts";

export const endpointSliceKind: KindDefinition = builtInKind({
  group: "discovery.k8s.io",
  resource: "endpointslices",
  kind: "EndpointSlice",
  printer: discoveryPrinters["endpointslices"],
  rules: async () => (await import("./endpoint-slice-rules.ts")).endpointSliceRules,
});
