import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  betaWebhookConfigurationStrategy,
  webhookConfigurationStrategy,
} from "../webhook/webhook-configuration-strategy.ts";

export function mutatingWebhookConfigurationStrategy(
  base: Strategy,
  environment: StrategyEnvironment,
): Strategy {
  return webhookConfigurationStrategy(base, "mutating", environment);
}

export function betaMutatingWebhookConfigurationStrategy(strategy: Strategy): Strategy {
  return betaWebhookConfigurationStrategy(strategy, "mutating");
}
