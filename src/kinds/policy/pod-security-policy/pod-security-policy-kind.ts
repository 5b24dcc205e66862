import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podSecurityPolicyKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "podsecuritypolicies",
  kind: "PodSecurityPolicy",
  cohabitants: { extensions: {} },
  printer: async () => (await import("./pod-security-policy-printer.ts")).podSecurityPolicyPrinter,
  rules: async () => (await import("./pod-security-policy-rules.ts")).podSecurityPolicyRules,
});
