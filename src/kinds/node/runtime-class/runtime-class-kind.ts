import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { runtimeClassPrinter } from "./runtime-class-printer.ts";

export const runtimeClassKind: KindDefinition = builtInKind({
  group: "node.k8s.io",
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  printer: runtimeClassPrinter,
  rules: async () => (await import("./runtime-class-rules.ts")).runtimeClassRules,
});
