import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const runtimeClassKind: KindDefinition = builtInKind({
  group: "node.k8s.io",
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  printer: async () => (await import("./runtime-class-printer.ts")).runtimeClassPrinter,
  rules: async () => (await import("./runtime-class-rules.ts")).runtimeClassRules,
});
