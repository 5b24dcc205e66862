import { AuthenticationMetrics } from "../authentication/contract/authentication-metrics.ts";
import { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { startErrorOf } from "./contract/start-error.ts";
import type { Config } from "./options.ts";

/** Whether the cluster has files of webhooks, authorizers and plugins, which are read before it starts. */
export function callsWebhooks({ authentication, authorization, admission }: Config): boolean {
  const { webhook, configuration } = authorization;
  if (admission("EventRateLimit", false)) return true;
  return authentication.tokenWebhook !== undefined || webhook !== undefined || configuration !== undefined;
}

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
    if (config.admission("EventRateLimit", false)) {
      const { eventRateLimit } = await import("../admission/plugins/event-rate-limit.ts");
      eventRateLimit(config.admissionConfigurations.get("EventRateLimit"), clock);
    }
    await loadAuthorizers(closing);
  } catch (error) {
    throw startErrorOf(error);
  }
}
