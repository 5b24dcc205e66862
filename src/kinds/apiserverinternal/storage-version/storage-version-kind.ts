import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const storageVersionKind: KindDefinition = builtInKind({
  group: "internal.apiserver.k8s.io",
  resource: "storageversions",
  kind: "StorageVersion",
  rules: async () => (await import("./storage-version-rules.ts")).storageVersionRules,
});
