import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions, internalForm } from "../../../registry/contract/version-form.ts";
import { earlyClaimTemplateForm } from "../devices/device-forms.ts";
import {
  alphaResourceClaimTemplateDefaults,
  earlyResourceClaimTemplateDefaults,
  resourceClaimTemplateDefaults,
} from "./resource-claim-template-defaults.ts";
import { resourceClaimTemplateStrategy } from "./resource-claim-template-strategy.ts";

const conversions = formConversions({
  "resource.k8s.io/v1": internalForm,
  "resource.k8s.io/v1alpha3": earlyClaimTemplateForm,
  "resource.k8s.io/v1beta1": earlyClaimTemplateForm,
  "resource.k8s.io/v1beta2": internalForm,
});

export const resourceClaimTemplateRules: BuiltInRules<"resourceclaimtemplates"> = {
  strategy: resourceClaimTemplateStrategy,
  versions: {
    "resource.k8s.io/v1": { ...conversions["resource.k8s.io/v1"], defaults: resourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha1": { defaults: alphaResourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha2": { defaults: alphaResourceClaimTemplateDefaults },
    "resource.k8s.io/v1alpha3": {
      ...conversions["resource.k8s.io/v1alpha3"],
      defaults: earlyResourceClaimTemplateDefaults,
    },
    "resource.k8s.io/v1beta1": {
      ...conversions["resource.k8s.io/v1beta1"],
      defaults: earlyResourceClaimTemplateDefaults,
    },
    "resource.k8s.io/v1beta2": {
      ...conversions["resource.k8s.io/v1beta2"],
      defaults: resourceClaimTemplateDefaults,
    },
  },
};
