import type { Clock } from "../apimachinery/clock.ts";
import type { Authentication, TokenAuthenticator } from "./contract/authenticator.ts";
import { TokenAnswers } from "./contract/token-answers.ts";

/** How long a success counts, in milliseconds. Upstream: `TokenSuccessCacheTTL` of the built-in authentication options. */
const successMilliseconds = 10_000;

/**
 * Remembers for ten seconds of the cluster's clock which tokens are valid for the audiences of the API, so that the
 * signature of a token is not verified for each request. Like upstream, it does not remember failures, and a token that
 * is revoked is still accepted until then. Upstream: apiserver, pkg/authentication/token/cache.
 */
export function cachedTokens(
  authenticate: TokenAuthenticator,
  apiAudiences: readonly string[],
  clock: Clock,
): TokenAuthenticator {
  const answers = new TokenAnswers(clock);
  const remember = (token: string, answer: Authentication): Authentication => {
    if (answer.type === "authenticated") answers.remember(token, answer, successMilliseconds);
    return answer;
  };
  return (token, audiences) => {
    if (audiences !== apiAudiences) return authenticate(token, audiences);
    const known = answers.get(token);
    if (known !== undefined) return known;
    const answer = authenticate(token, audiences);
    return answer instanceof Promise ? answer.then((settled) => remember(token, settled)) : answer;
  };
}
