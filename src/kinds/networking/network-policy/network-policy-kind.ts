import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const networkPolicyKind: KindDefinition = builtInKind({
  group: "networking.k8s.io",
  resource: "networkpolicies",
  kind: "NetworkPolicy",
  cohabitants: { extensions: {} },
  printer: async () => (await import("./network-policy-printer.ts")).networkPolicyPrinter,
  rules: async () => (await import("./network-policy-rules.ts")).networkPolicyRules,
});
