import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  betaValidatingWebhookConfigurationDefaults,
  validatingWebhookConfigurationDefaults,
} from "./validating-webhook-configuration-defaults.ts";
import {
  betaValidatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from "./validating-webhook-configuration-strategy.ts";

export const validatingWebhookConfigurationRules: BuiltInRules<"validatingwebhookconfigurations"> = {
  strategy: validatingWebhookConfigurationStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: validatingWebhookConfigurationDefaults },
    "admissionregistration.k8s.io/v1beta1": {
      defaults: betaValidatingWebhookConfigurationDefaults,
      strategy: betaValidatingWebhookConfigurationStrategy,
    },
  },
};
