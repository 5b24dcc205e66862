import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  betaValidatingWebhookConfigurationDefaults,
  validatingWebhookConfigurationDefaults,
} from "./validating-webhook-configuration-defaults.ts";
import {
  betaValidatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from "./validating-webhook-configuration-strategy.ts";

export const validatingWebhookConfigurationRules: KindRules<"validatingwebhookconfigurations"> = {
  strategy: validatingWebhookConfigurationStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: validatingWebhookConfigurationDefaults },
    "admissionregistration.k8s.io/v1beta1": {
      defaults: betaValidatingWebhookConfigurationDefaults,
      strategy: betaValidatingWebhookConfigurationStrategy,
    },
  },
};
