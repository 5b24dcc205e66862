import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { networkPolicyDefaults } from "./network-policy-defaults.ts";
import { networkPolicyStrategy } from "./network-policy-strategy.ts";

export const networkPolicyRules: KindRules<"networkpolicies"> = {
  strategy: networkPolicyStrategy,
  versions: {
    "extensions/v1beta1": { defaults: networkPolicyDefaults },
    "networking.k8s.io/v1": { defaults: networkPolicyDefaults },
  },
};
