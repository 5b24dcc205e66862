import { AuthenticationMetrics } from "../authentication/contract/authentication-metrics.ts";
import { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import { webhookPlugins } from "./checked-configuration.ts";
import { startErrorOf } from "./contract/start-error.ts";
import type { Config } from "./options.ts";

/**
 * Reads the files of all webhooks, and the configuration of authorizers, so that errors end the start. @throws {StartError} that names the
 * option and the line
 */
export async function checkWebhooks(
  config: Config,
  loadAuthorizers: (closing: AbortSignal) => Promise<void>,
  closing: AbortSignal,
): Promise<void> {
  const { authentication, authorization, clock, featureGates: gates } = config;
  try {
    if (authentication.tokenWebhook !== undefined) {
      const { tokenReviews } = await import("../authentication/webhook/token-reviews.ts");
      tokenReviews(authentication.tokenWebhook, {
        clock,
        gates,
        config: authentication,
        metrics: new AuthenticationMetrics(),
      });
    }
    if (authorization.webhook !== undefined) {
      const { accessReviews } = await import("../authorization/webhook/access-reviews.ts");
      accessReviews(authorization.webhook, { clock, gates, metrics: new AuthorizationMetrics() }, undefined);
    }
    await checkPlugins(config);
    await loadAuthorizers(closing);
  } catch (error) {
    throw startErrorOf(error);
  }
}

/** @throws {ConfigurationError} */
async function checkPlugins(config: Config): Promise<void> {
  const { admission, admissionConfigurations: configurations, clock, featureGates: gates } = config;
  if (admission("EventRateLimit", false)) {
    const { eventRateLimit } = await import("../admission/plugins/event-rate-limit.ts");
    eventRateLimit(configurations.get("EventRateLimit"), clock);
  }
  const quota = configurations.get("ResourceQuota");
  if (quota !== undefined) {
    const { limitedResources } = await import("../admission/quota/limited-resources.ts");
    limitedResources(quota);
  }
  for (const plugin of webhookPlugins) {
    const configuration = configurations.get(plugin);
    if (configuration === undefined) continue;
    const { webhookCredentials } = await import("../admission/webhooks/webhook-credentials.ts");
    webhookCredentials(configuration, plugin);
  }
  if (admission("ImagePolicyWebhook", false)) {
    const { imagePolicyWebhook } = await import("../admission/image-policy/image-policy-webhook.ts");
    const targets = new OutgoingTargets();
    imagePolicyWebhook(configurations.get("ImagePolicyWebhook"), { clock, gates, targets });
  }
}
