import { defaultBounds, doublingBounds, Histogram } from "../../apimachinery/histogram.ts";

/** The metrics of the tokens of service accounts, whose names begin with `serviceaccount_`. */
export type TokenCounter =
  | "legacy_tokens_total"
  | "stale_tokens_total"
  | "valid_tokens_total"
  | "legacy_manual_token_uses_total"
  | "legacy_auto_token_uses_total"
  | "invalid_legacy_auto_token_uses_total";

/** How an authentication ended: `error` if the credentials are wrong, `failure` if there are none. */
export type AttemptResult = "success" | "error" | "failure";

/** What is known of the key set of an issuer. Times are in seconds since the epoch. */
export interface KeySetFetches {
  readonly serverHash: string;
  readonly success?: number;
  readonly failure?: number;
  /** The hash of the last key set. */
  readonly keySet?: string;
}

/** What authentication counts. Durations are in seconds of the cluster's clock. */
export class AuthenticationMetrics {
  /** Durations of authentication by `result`. */
  readonly attempts: Histogram = new Histogram(doublingBounds(0.001, 15));
  /** How long the certificates of clients are still valid (apiserver, pkg/authentication/request/x509). */
  readonly certificateLives: Histogram = new Histogram(certificateBounds, [""]);
  /** Durations of lookups in the cache of tokens by `status`: `hit` or `miss`. */
  readonly cacheLookups: Histogram = new Histogram(defaultBounds);
  /** Durations of the authentication of ID tokens, by the hash of the issuer and the result. */
  readonly issuerTokens: Histogram = new Histogram([0.001, ...defaultBounds]);
  readonly #users = new Map<string, number>();
  readonly #cacheFetches = new Map<string, number>();
  readonly #serviceAccountTokens = new Map<TokenCounter, number>();
  readonly #keySets = new Map<string, KeySetFetches>();
  /** Requests that wait for a token that is not in the cache, and tokens that are being authenticated for them. */
  readonly activeFetches: { blocked: number; inFlight: number } = { blocked: 0, inFlight: 0 };

  /** Requests of authenticated users, by the kind of their name. */
  get users(): ReadonlyMap<string, number> {
    return this.#users;
  }

  /** Tokens that were not in the cache: `ok`, or `error` if a method refused them. */
  get cacheFetches(): ReadonlyMap<string, number> {
    return this.#cacheFetches;
  }

  /** By the hash of the issuer. */
  get keySets(): ReadonlyMap<string, KeySetFetches> {
    return this.#keySets;
  }

  serviceAccountTokens(counter: TokenCounter): number {
    return this.#serviceAccountTokens.get(counter) ?? 0;
  }

  /** Counts a request of an authenticated or anonymous user. */
  countUser(username: string, seconds: number): void {
    this.countAttempt("success", seconds);
    increment(this.#users, usernameLabel(username));
  }

  countAttempt(result: AttemptResult, seconds: number): void {
    this.attempts.observe(attemptLabels[result], seconds);
  }

  countCacheFetch(status: "ok" | "error"): void {
    increment(this.#cacheFetches, status);
  }

  countServiceAccountToken(counter: TokenCounter): void {
    increment(this.#serviceAccountTokens, counter);
  }

  noteKeySet(issuerHash: string, fetched: KeySetFetches): void {
    this.#keySets.set(issuerHash, { ...this.#keySets.get(issuerHash), ...fetched });
  }

  /** Forgets the key sets of issuers that are not trusted any more. */
  keepKeySets(issuerHashes: ReadonlySet<string>): void {
    for (const hash of this.#keySets.keys()) if (!issuerHashes.has(hash)) this.#keySets.delete(hash);
  }

  reset(): void {
    for (const histogram of [this.attempts, this.certificateLives, this.cacheLookups, this.issuerTokens]) {
      histogram.reset();
    }
    const counts = [this.#users, this.#cacheFetches, this.#serviceAccountTokens, this.#keySets];
    for (const each of counts) each.clear();
  }
}

const hour = 3600;
const day = 24 * hour;

const certificateBounds: readonly number[] = [
  ...[0, hour / 2, hour, 2 * hour, 6 * hour, 12 * hour],
  ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * day),
];

const attemptLabels: { readonly [R in AttemptResult]: string } = {
  success: 'result="success"',
  error: 'result="error"',
  failure: 'result="failure"',
};

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const knownUsernames: ReadonlySet<string> = new Set([
  "admin",
  "client",
  "kube_proxy",
  "kubelet",
  "system:serviceaccount:kube-system:default",
]);

/** The kind of a username, so that there are few. Upstream: apiserver, pkg/endpoints/filters/metrics.go. */
function usernameLabel(username: string): string {
  if (knownUsernames.has(username)) return username;
  return username.includes("@") ? "email_id" : "other";
}
