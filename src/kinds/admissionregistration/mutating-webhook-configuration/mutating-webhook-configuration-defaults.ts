import { type Defaulter, each, whenUnset } from "../../defaulting/defaulter.ts";
import { betaWebhookDefaults, webhookDefaults } from "../webhook/webhook-defaults.ts";

const reinvocationDefaults = whenUnset({ reinvocationPolicy: "Never" });

/** MutatingWebhookConfiguration of v1. */
export const mutatingWebhookConfigurationDefaults: Defaulter = each(
  "webhooks",
  webhookDefaults,
  reinvocationDefaults,
);

/** MutatingWebhookConfiguration of v1beta1. */
export const betaMutatingWebhookConfigurationDefaults: Defaulter = each(
  "webhooks",
  betaWebhookDefaults,
  reinvocationDefaults,
);
