import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { podSecurityPolicyPrinter } from "./pod-security-policy-printer.ts";

export const podSecurityPolicyKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "podsecuritypolicies",
  kind: "PodSecurityPolicy",
  cohabitants: { extensions: {} },
  printer: podSecurityPolicyPrinter,
  rules: async () => (await import("./pod-security-policy-rules.ts")).podSecurityPolicyRules,
});
