import type { Clock } from "../apimachinery/clock.ts";
import type { AuthenticationMetrics } from "./contract/authentication-metrics.ts";
import type { Authentication, TokenAuthenticator } from "./contract/authenticator.ts";
import { TokenAnswers } from "./contract/token-answers.ts";
import { TokenTable } from "./contract/token-table.ts";

/** How long a success counts, in milliseconds. Upstream: `TokenSuccessCacheTTL` of the built-in authentication options. */
const successMilliseconds = 10_000;

/**
 * Remembers for ten seconds of the cluster's clock for which audiences a token is valid, so that its signature is not verified
 * for each request. Requests that come with the same token at the same time wait for one answer. Like upstream, it does not
 * remember failures, and a token that is revoked is still accepted until then. Upstream: apiserver, pkg/authentication/token/cache.
 */
export function cachedTokens(
  authenticate: TokenAuthenticator,
  apiAudiences: readonly string[],
  { clock, metrics }: { readonly clock: Clock; readonly metrics: AuthenticationMetrics },
): TokenAuthenticator {
  const answers = new TokenAnswers(clock);
  /** The tokens that are being authenticated. */
  const fetches = new TokenTable<Promise<Authentication>>();
  const fetched = (key: string, answer: Authentication): Authentication => {
    metrics.countCacheFetch(answer.type === "rejected" ? "error" : "ok");
    if (answer.type === "authenticated") answers.remember(key, answer, successMilliseconds);
    return answer;
  };
  const fetch = (key: string, answering: Promise<Authentication>): Promise<Authentication> => {
    metrics.activeFetches.inFlight += 1;
    const fetching = answering
      .then((answer) => fetched(key, answer))
      .finally(() => {
        metrics.activeFetches.inFlight -= 1;
        fetches.delete(key);
      });
    fetches.set(key, fetching);
    return fetching;
  };
  const missed = (since: number): void => metrics.cacheLookups.observe(miss, (clock.now() - since) / 1000);
  return (token, audiences) => {
    // The first letter keeps a token of one kind from being the key of the other.
    const key = audiences === apiAudiences ? `a${token}` : `r${JSON.stringify(audiences)}${token}`;
    const known = answers.get(key);
    if (known !== undefined) {
      metrics.cacheLookups.observe(hit, 0);
      return known;
    }
    const since = clock.now();
    const answer = fetches.get(key) ?? authenticate(token, audiences);
    if (!(answer instanceof Promise)) {
      missed(since);
      return fetched(key, answer);
    }
    metrics.activeFetches.blocked += 1;
    return (fetches.get(key) ?? fetch(key, answer)).finally(() => {
      metrics.activeFetches.blocked -= 1;
      missed(since);
    });
  };
}

const hit = 'status="hit"';
const miss = 'status="miss"';
