import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const resourceSliceKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceslices",
  kind: "ResourceSlice",
  printer: resourcePrinters["resourceslices"],
  rules: async () => (await import("./resource-slice-rules.ts")).resourceSliceRules,
});
