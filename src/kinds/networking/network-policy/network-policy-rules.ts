import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { networkPolicyDefaults } from "./network-policy-defaults.ts";
import { networkPolicyStatusStrategy, networkPolicyStrategy } from "./network-policy-strategy.ts";

export const networkPolicyRules: BuiltInRules<"networkpolicies"> = {
  strategy: networkPolicyStrategy,
  versions: {
    "extensions/v1beta1": { defaults: networkPolicyDefaults },
    "networking.k8s.io/v1": { defaults: networkPolicyDefaults },
  },
  subresources: {
    status: { strategy: networkPolicyStatusStrategy },
  },
};
