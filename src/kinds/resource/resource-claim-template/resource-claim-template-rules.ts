import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  alphaResourceClaimTemplateDefaults,
  earlyResourceClaimTemplateDefaults,
  resourceClaimTemplateDefaults,
} from "./resource-claim-template-defaults.ts";
import { resourceClaimTemplateStrategy } from "./resource-claim-template-strategy.ts";

export const resourceClaimTemplateRules: BuiltInRules<"resourceclaimtemplates"> = {
  strategy: resourceClaimTemplateStrategy,
  versions: {
    "resource.k8s.io/v1": { defaults: resourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha2": { defaults: alphaResourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha3": { defaults: earlyResourceClaimTemplateDefaults },
    "resource.k8s.io/v1beta1": { defaults: earlyResourceClaimTemplateDefaults },
    "resource.k8s.io/v1beta2": { defaults: resourceClaimTemplateDefaults },
  },
};
