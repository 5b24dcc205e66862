import type { AuthorizationOf, Authorizer } from "../contract/authorizer.ts";
import type { WebhookEnvironment } from "./access-reviews.ts";
import { rulesOfWebhook } from "./rules-of-webhook.ts";
import type { WebhookAuthorizerConfig } from "./webhook-authorizer-config.ts";

/** Authorizes by asking a webhook: `--authorization-mode=Webhook`. The code for that is loaded with the first request. */
export function webhookAuthorization(
  config: WebhookAuthorizerConfig,
  environment: WebhookEnvironment,
): AuthorizationOf {
  let loading: Promise<Authorizer> | undefined;
  const authorize: Authorizer = async (attributes) => {
    loading ??= import("./access-reviews.ts").then(({ accessReviews }) =>
      accessReviews(config, environment, undefined),
    );
    return (await loading)(attributes);
  };
  return () => ({ authorize, rulesFor: rulesOfWebhook });
}
