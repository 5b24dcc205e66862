import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  betaWebhookConfigurationStrategy,
  webhookConfigurationStrategy,
} from "../webhook/webhook-configuration-strategy.ts";

export function validatingWebhookConfigurationStrategy(
  base: Strategy,
  environment: StrategyEnvironment,
): Strategy {
  return webhookConfigurationStrategy(base, "validating", environment);
}

export function betaValidatingWebhookConfigurationStrategy(strategy: Strategy): Strategy {
  return betaWebhookConfigurationStrategy(strategy, "validating");
}
