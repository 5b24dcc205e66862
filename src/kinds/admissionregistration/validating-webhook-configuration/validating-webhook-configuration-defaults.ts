import { type Defaulter, each } from "../../defaulting/defaulter.ts";
import { betaWebhookDefaults, webhookDefaults } from "../webhook/webhook-defaults.ts";

/** ValidatingWebhookConfiguration of v1. */
export const validatingWebhookConfigurationDefaults: Defaulter = each("webhooks", webhookDefaults);

/** ValidatingWebhookConfiguration of v1beta1. */
export const betaValidatingWebhookConfigurationDefaults: Defaulter = each("webhooks", betaWebhookDefaults);
