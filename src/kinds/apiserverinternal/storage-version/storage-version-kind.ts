import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const storageVersionKind: KindDefinition = builtInKind({
  group: "internal.apiserver.k8s.io",
  resource: "storageversions",
  kind: "StorageVersion",
  printer: async () => (await import("./storage-version-printer.ts")).storageVersionPrinter,
  rules: async () => (await import("./storage-version-rules.ts")).storageVersionRules,
});
