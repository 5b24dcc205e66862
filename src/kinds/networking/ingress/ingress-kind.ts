import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const ingressKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ingresses",
  kind: "Ingress",
  cohabitants: { extensions: {} },
  printer: async () => (await import("./ingress-printer.ts")).ingressPrinter,
  rules: async () => (await import("./ingress-rules.ts")).ingressRules,
});
