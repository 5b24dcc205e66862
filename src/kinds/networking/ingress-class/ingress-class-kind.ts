import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const ingressClassKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ingressclasses",
  kind: "IngressClass",
  printer: async () => (await import("./ingress-class-printer.ts")).ingressClassPrinter,
  rules: async () => (await import("./ingress-class-rules.ts")).ingressClassRules,
});
