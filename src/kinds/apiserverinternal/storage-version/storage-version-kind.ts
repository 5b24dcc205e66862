import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { internalPrinters } from "../../printers/machinery.ts";

export const storageVersionKind: KindDefinition = builtInKind({
  group: "internal.apiserver.k8s.io",
  resource: "storageversions",
  kind: "StorageVersion",
  printer: internalPrinters["storageversions"],
  rules: async () => (await import("./storage-version-rules.ts")).storageVersionRules,
});
