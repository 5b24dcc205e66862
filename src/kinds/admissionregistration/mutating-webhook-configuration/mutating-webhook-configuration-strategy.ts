import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  betaWebhookConfigurationStrategy,
  webhookConfigurationStrategy,
} from "../webhook/webhook-configuration-strategy.ts";

export function mutatingWebhookConfigurationStrategy(base: Strategy): Strategy {
  return webhookConfigurationStrategy(base, "mutating");
}

export function betaMutatingWebhookConfigurationStrategy(strategy: Strategy): Strategy {
  return betaWebhookConfigurationStrategy(strategy, "mutating");
}
