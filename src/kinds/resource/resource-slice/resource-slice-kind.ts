import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceSliceKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceslices",
  kind: "ResourceSlice",
  printer: async () => (await import("./resource-slice-printer.ts")).resourceSlicePrinter,
  rules: async () => (await import("./resource-slice-rules.ts")).resourceSliceRules,
});
