import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  alphaResourceClaimDefaults,
  earlyResourceClaimDefaults,
  resourceClaimDefaults,
} from "./resource-claim-defaults.ts";
import { resourceClaimStatusStrategy, resourceClaimStrategy } from "./resource-claim-strategy.ts";

export const resourceClaimRules: BuiltInRules<"resourceclaims"> = {
  strategy: resourceClaimStrategy,
  versions: {
    "resource.k8s.io/v1": { defaults: resourceClaimDefaults },
    "resource.k8s.io/v1alpha2": { defaults: alphaResourceClaimDefaults },
    "resource.k8s.io/v1alpha3": { defaults: earlyResourceClaimDefaults },
    "resource.k8s.io/v1beta1": { defaults: earlyResourceClaimDefaults },
    "resource.k8s.io/v1beta2": { defaults: resourceClaimDefaults },
  },
  subresources: {
    status: { strategy: resourceClaimStatusStrategy },
  },
};
