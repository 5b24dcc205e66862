import type { Clock } from "../../apimachinery/clock.ts";
import type { AuthenticationMetrics } from "./authentication-metrics.ts";
import type { Authentication, TokenAuthenticator } from "./authenticator.ts";
import { TokenAnswers } from "./token-answers.ts";
import { TokenTable } from "./token-table.ts";

/** How a cache of tokens works. */
export interface TokenCacheOptions {
  readonly apiAudiences: readonly string[];
  /** How long it counts that a token is valid, in milliseconds; 0 for never. */
  readonly successMilliseconds: number;
  /** The same for a token that no method knows. A rejection is never remembered. */
  readonly failureMilliseconds: number;
  readonly clock: Clock;
  readonly metrics: AuthenticationMetrics;
}

/** Answers to longer tokens are not remembered. */
const longestKey = 16 * 1024;

/**
 * Remembers answers about tokens and their audiences for a while of the cluster's clock. Requests that come with the same token at
 * the same time wait for one answer. Like upstream, a token that is revoked is accepted as long as it is remembered. Upstream:
 * apiserver, pkg/authentication/token/cache.
 */
export function cachedTokens(
  authenticate: TokenAuthenticator,
  options: TokenCacheOptions,
): TokenAuthenticator {
  const { apiAudiences, clock, metrics } = options;
  const answers = new TokenAnswers(clock);
  /** The tokens that are being authenticated. */
  const fetches = new TokenTable<Promise<Authentication>>();
  const fetched = (key: string, answer: Authentication): Authentication => {
    metrics.countCacheFetch(answer.type === "rejected" ? "error" : "ok");
    const milliseconds = lifeOf(answer, options);
    if (milliseconds > 0 && key.length <= longestKey) answers.remember(key, answer, milliseconds);
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

function lifeOf({ type }: Authentication, options: TokenCacheOptions): number {
  if (type === "rejected") return 0;
  return type === "authenticated" ? options.successMilliseconds : options.failureMilliseconds;
}
