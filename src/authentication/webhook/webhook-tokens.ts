import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import type { TokenAuthenticator } from "../contract/authenticator.ts";

/** Authenticates tokens by asking a webhook. The code for that is loaded with the first token. */
export function webhookTokens(environment: AuthenticationEnvironment): TokenAuthenticator | undefined {
  const { tokenWebhook } = environment.config;
  if (tokenWebhook === undefined) return undefined;
  let loading: Promise<TokenAuthenticator> | undefined;
  return async (token, audiences) => {
    loading ??= import("./token-reviews.ts").then(({ tokenReviews }) =>
      tokenReviews(tokenWebhook, environment),
    );
    return (await loading)(token, audiences);
  };
}
