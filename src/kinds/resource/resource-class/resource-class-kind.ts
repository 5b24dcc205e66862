import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceClassKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclasses",
  kind: "ResourceClass",
  printer: async () => (await import("./resource-class-printer.ts")).resourceClassPrinter,
  rules: async () => (await import("./resource-class-rules.ts")).resourceClassRules,
});
