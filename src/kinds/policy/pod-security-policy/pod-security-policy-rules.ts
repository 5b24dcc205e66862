import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podSecurityPolicyDefaults } from "./pod-security-policy-defaults.ts";

export const podSecurityPolicyRules: BuiltInRules<"podsecuritypolicies"> = {
  versions: {
    "extensions/v1beta1": { defaults: podSecurityPolicyDefaults },
    "policy/v1beta1": { defaults: podSecurityPolicyDefaults },
  },
};
