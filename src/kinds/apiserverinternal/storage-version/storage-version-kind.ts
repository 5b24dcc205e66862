import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storageVersionPrinter } from "./storage-version-printer.ts";

export const storageVersionKind: KindDefinition = builtInKind({
  group: "internal.apiserver.k8s.io",
  resource: "storageversions",
  kind: "StorageVersion",
  printer: storageVersionPrinter,
  rules: async () => (await import("./storage-version-rules.ts")).storageVersionRules,
});
