import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const endpointSliceKind: KindDefinition = builtInKind({
  group: "discovery.k8s.io",
  resource: "endpointslices",
  kind: "EndpointSlice",
  printer: async () => (await import("./endpoint-slice-printer.ts")).endpointSlicePrinter,
  rules: async () => (await import("./endpoint-slice-rules.ts")).endpointSliceRules,
});
