import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  betaWebhookConfigurationStrategy,
  webhookConfigurationStrategy,
} from "../webhook/webhook-configuration-strategy.ts";

export function validatingWebhookConfigurationStrategy(base: Strategy): Strategy {
  return webhookConfigurationStrategy(base, "validating");
}

export function betaValidatingWebhookConfigurationStrategy(strategy: Strategy): Strategy {
  return betaWebhookConfigurationStrategy(strategy, "validating");
}
