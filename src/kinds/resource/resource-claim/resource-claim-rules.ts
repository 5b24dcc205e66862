import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions, internalForm } from "../../../registry/contract/version-form.ts";
import { earlyClaimForm } from "../devices/device-forms.ts";
import {
  alphaResourceClaimDefaults,
  earlyResourceClaimDefaults,
  resourceClaimDefaults,
} from "./resource-claim-defaults.ts";
import { resourceClaimStatusStrategy, resourceClaimStrategy } from "./resource-claim-strategy.ts";

const conversions = formConversions({
  "resource.k8s.io/v1": internalForm,
  "resource.k8s.io/v1alpha3": earlyClaimForm,
  "resource.k8s.io/v1beta1": earlyClaimForm,
  "resource.k8s.io/v1beta2": internalForm,
});

export const resourceClaimRules: BuiltInRules<"resourceclaims"> = {
  strategy: resourceClaimStrategy,
  versions: {
    "resource.k8s.io/v1": { ...conversions["resource.k8s.io/v1"], defaults: resourceClaimDefaults },
    "resource.k8s.io/v1alpha1": { defaults: alphaResourceClaimDefaults },
    "resource.k8s.io/v1alpha2": { defaults: alphaResourceClaimDefaults },
    "resource.k8s.io/v1alpha3": {
      ...conversions["resource.k8s.io/v1alpha3"],
      defaults: earlyResourceClaimDefaults,
    },
    "resource.k8s.io/v1beta1": {
      ...conversions["resource.k8s.io/v1beta1"],
      defaults: earlyResourceClaimDefaults,
    },
    "resource.k8s.io/v1beta2": { ...conversions["resource.k8s.io/v1beta2"], defaults: resourceClaimDefaults },
  },
  subresources: {
    status: { strategy: resourceClaimStatusStrategy },
  },
};
