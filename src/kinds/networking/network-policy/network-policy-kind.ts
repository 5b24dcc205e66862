import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { networkingPrinters } from "../../printers/networking.ts";

export const networkPolicyKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "networkpolicies",
  kind: "NetworkPolicy",
  cohabitants: { extensions: {} },
  printer: networkingPrinters["networkpolicies"],
  rules: async () => (await import("./network-policy-rules.ts")).networkPolicyRules,
});
