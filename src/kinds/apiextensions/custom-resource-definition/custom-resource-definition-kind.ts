import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const customResourceDefinitionKind: KindDefinition = builtInKind({
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  rules: async () => (await import("./custom-resource-definition-rules.ts")).customResourceDefinitionRules,
});
