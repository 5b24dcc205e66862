import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const endpointSliceKind: KindDefinition = builtInKind({
  group: "discovery.k8s.io",
  resource: "endpointslices",
  kind: "EndpointSlice",
  rules: async () => (await import("./endpoint-slice-rules.ts")).endpointSliceRules,
});
