import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { betaMutatingWebhookDefaults, mutatingWebhookDefaults } from "../admissionregistration-defaults.ts";
import { betaMutatingWebhookStrategy, mutatingWebhookStrategy } from "../webhook/webhook-configuration.ts";

export const mutatingWebhookConfigurationRules: KindRules<"mutatingwebhookconfigurations"> = {
  strategy: mutatingWebhookStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: mutatingWebhookDefaults },
    "admissionregistration.k8s.io/v1beta1": {
      defaults: betaMutatingWebhookDefaults,
      strategy: betaMutatingWebhookStrategy,
    },
  },
};
