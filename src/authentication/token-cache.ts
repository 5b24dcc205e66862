import type { Clock } from "../apimachinery/clock.ts";
import type { Authentication, TokenAuthenticator } from "./contract/authenticator.ts";
import { TokenTable } from "./contract/token-table.ts";

/** How long a success counts, in milliseconds. Upstream: `TokenSuccessCacheTTL` of the built-in authentication options. */
const successMilliseconds = 10_000;
const capacity = 1000;

interface Known {
  readonly answer: Authentication;
  readonly expires: number;
}

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
  const known = new TokenTable<Known>();
  /** The tokens in the table, oldest first. */
  const order = new Set<string>();
  const forget = (token: string) => {
    known.delete(token);
    order.delete(token);
  };
  const remember = (token: string, answer: Authentication): Authentication => {
    if (answer.type !== "authenticated") return answer;
    forget(token);
    const [oldest] = order;
    if (order.size >= capacity && oldest !== undefined) forget(oldest);
    known.set(token, { answer, expires: clock.now() + successMilliseconds });
    order.add(token);
    return answer;
  };
  return (token, audiences) => {
    if (audiences !== apiAudiences) return authenticate(token, audiences);
    const found = known.get(token);
    if (found !== undefined && clock.now() < found.expires) return found.answer;
    if (found !== undefined) forget(token);
    const answer = authenticate(token, audiences);
    return answer instanceof Promise ? answer.then((settled) => remember(token, settled)) : answer;
  };
}
