import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { endpointSlicePrinter } from "./endpoint-slice-printer.ts";

export const endpointSliceKind: KindDefinition = builtInKind({
  group: "discovery.k8s.io",
  resource: "endpointslices",
  kind: "EndpointSlice",
  printer: endpointSlicePrinter,
  rules: async () => (await import("./endpoint-slice-rules.ts")).endpointSliceRules,
});
