import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { resourceClaimTemplateStrategy } from "../resource-claim/resource-claim.ts";
import {
  alphaResourceClaimTemplateDefaults,
  plainResourceClaimTemplateDefaults,
  resourceClaimTemplateDefaults,
} from "../resource-defaults.ts";

export const resourceClaimTemplateRules: KindRules<"resourceclaimtemplates"> = {
  strategy: resourceClaimTemplateStrategy,
  versions: {
    "resource.k8s.io/v1": { defaults: resourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha2": { defaults: alphaResourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha3": { defaults: plainResourceClaimTemplateDefaults },
    "resource.k8s.io/v1beta1": { defaults: plainResourceClaimTemplateDefaults },
    "resource.k8s.io/v1beta2": { defaults: resourceClaimTemplateDefaults },
  },
};
