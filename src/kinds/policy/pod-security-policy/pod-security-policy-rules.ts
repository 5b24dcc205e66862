import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podSecurityPolicyDefaults } from "./pod-security-policy-defaults.ts";
import { podSecurityPolicyPrinter } from "./pod-security-policy-printer.ts";

export const podSecurityPolicyRules: BuiltInRules<"podsecuritypolicies"> = {
  printer: podSecurityPolicyPrinter,
  versions: {
    "extensions/v1beta1": { defaults: podSecurityPolicyDefaults },
    "policy/v1beta1": { defaults: podSecurityPolicyDefaults },
  },
};
