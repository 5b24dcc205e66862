import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const storageClassKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "storageclasses",
  kind: "StorageClass",
  printer: async () => (await import("./storage-class-printer.ts")).storageClassPrinter,
  rules: async () => (await import("./storage-class-rules.ts")).storageClassRules,
});
