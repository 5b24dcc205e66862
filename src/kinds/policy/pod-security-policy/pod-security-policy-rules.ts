import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { podSecurityPolicyDefaults } from "./pod-security-policy-defaults.ts";

export const podSecurityPolicyRules: KindRules<"podsecuritypolicies"> = {
  versions: {
    "extensions/v1beta1": { defaults: podSecurityPolicyDefaults },
    "policy/v1beta1": { defaults: podSecurityPolicyDefaults },
  },
};
