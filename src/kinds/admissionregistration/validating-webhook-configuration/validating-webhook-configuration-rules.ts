import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  betaValidatingWebhookDefaults,
  validatingWebhookDefaults,
} from "../admissionregistration-defaults.ts";
import {
  betaValidatingWebhookStrategy,
  validatingWebhookStrategy,
} from "../webhook/webhook-configuration.ts";

export const validatingWebhookConfigurationRules: KindRules<"validatingwebhookconfigurations"> = {
  strategy: validatingWebhookStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: validatingWebhookDefaults },
    "admissionregistration.k8s.io/v1beta1": {
      defaults: betaValidatingWebhookDefaults,
      strategy: betaValidatingWebhookStrategy,
    },
  },
};
