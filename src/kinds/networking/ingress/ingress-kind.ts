import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { ingressPrinter } from "./ingress-printer.ts";

export const ingressKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ingresses",
  kind: "Ingress",
  cohabitants: { extensions: {} },
  printer: ingressPrinter,
  rules: async () => (await import("./ingress-rules.ts")).ingressRules,
});
