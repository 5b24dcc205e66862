import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  betaMutatingWebhookConfigurationDefaults,
  mutatingWebhookConfigurationDefaults,
} from "./mutating-webhook-configuration-defaults.ts";
import {
  betaMutatingWebhookConfigurationStrategy,
  mutatingWebhookConfigurationStrategy,
} from "./mutating-webhook-configuration-strategy.ts";

export const mutatingWebhookConfigurationRules: BuiltInRules<"mutatingwebhookconfigurations"> = {
  strategy: mutatingWebhookConfigurationStrategy,
  versions: {
    "admissionregistration.k8s.io/v1": { defaults: mutatingWebhookConfigurationDefaults },
    "admissionregistration.k8s.io/v1beta1": {
      defaults: betaMutatingWebhookConfigurationDefaults,
      strategy: betaMutatingWebhookConfigurationStrategy,
    },
  },
};
