import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { policyPrinters } from "../../printers/policy.ts";

export const podSecurityPolicyKind: KindDefinition = builtInKind({
  group: "policy",
  resource: "podsecuritypolicies",
  kind: "PodSecurityPolicy",
  cohabitants: { extensions: {} },
  printer: policyPrinters["podsecuritypolicies"],
  rules: async () => (await import("./pod-security-policy-rules.ts")).podSecurityPolicyRules,
});
