import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { networkingPrinters } from "../../printers/networking.ts";

export const ingressClassKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ingressclasses",
  kind: "IngressClass",
  printer: networkingPrinters["ingressclasses"],
  rules: async () => (await import("./ingress-class-rules.ts")).ingressClassRules,
});
