import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagePrinters } from "../../printers/storage.ts";

export const storageClassKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "storageclasses",
  kind: "StorageClass",
  printer: storagePrinters["storageclasses"],
  rules: async () => (await import("./storage-class-rules.ts")).storageClassRules,
});
