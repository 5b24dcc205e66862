import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { networkingPrinters } from "../../printers/networking.ts";

export const ingressKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "ingresses",
  kind: "Ingress",
  cohabitants: { extensions: {} },
  printer: networkingPrinters["ingresses"],
  rules: async () => (await import("./ingress-rules.ts")).ingressRules,
});
