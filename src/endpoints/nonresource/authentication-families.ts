import type { Release } from "../../apimachinery/release.ts";
import type { KeySetFetches, TokenCounter } from "../../authentication/contract/authentication-metrics.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { countsOf, type MetricFamily, type Samples } from "../contract/metric-family.ts";

/** The metrics of authentication that the release has. */
export function authenticationFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { gates } = environment;
  return [
    ...attemptFamilies(environment),
    ...(gates.since("1.18") ? cacheFamilies(environment) : []),
    ...(gates.since("1.30") ? issuerFamilies(environment) : []),
    ...tokenFamilies(environment),
  ];
}

/** Upstream: apiserver, pkg/endpoints/filters/metrics.go and pkg/authentication/request/x509/x509.go. */
function attemptFamilies({ authenticationMetrics }: EndpointEnvironment): readonly MetricFamily[] {
  const { attempts, certificateLives, users } = authenticationMetrics;
  return [
    {
      name: "apiserver_client_certificate_expiration_seconds",
      type: "histogram",
      help: "Distribution of the remaining lifetime on the certificate used to authenticate a request.",
      histogram: certificateLives,
    },
    {
      name: "authenticated_user_requests",
      type: "counter",
      help: "Counter of authenticated requests broken out by username.",
      samples: labeled("username", users),
    },
    {
      name: "authentication_attempts",
      type: "counter",
      help: "Counter of authenticated attempts.",
      samples: countsOf(attempts),
    },
    {
      name: "authentication_duration_seconds",
      type: "histogram",
      help: "Authentication duration in seconds broken out by result.",
      histogram: attempts,
    },
  ];
}

/** Upstream: apiserver, pkg/authentication/token/cache/stats.go, which describes none of them. */
function cacheFamilies({ authenticationMetrics }: EndpointEnvironment): readonly MetricFamily[] {
  const { activeFetches, cacheFetches, cacheLookups } = authenticationMetrics;
  const prefix = "authentication_token_cache";
  const active: Samples = new Map([
    ['status="blocked"', activeFetches.blocked],
    ['status="in_flight"', activeFetches.inFlight],
  ]);
  const described = { help: "" };
  return [
    {
      ...described,
      name: `${prefix}_active_fetch_count`,
      type: "gauge",
      samples: cacheFetches.size === 0 && activeFetches.blocked === 0 ? noSamples : active,
    },
    {
      ...described,
      name: `${prefix}_fetch_total`,
      type: "counter",
      samples: labeled("status", cacheFetches),
    },
    {
      ...described,
      name: `${prefix}_request_duration_seconds`,
      type: "histogram",
      histogram: cacheLookups,
    },
    { ...described, name: `${prefix}_request_total`, type: "counter", samples: countsOf(cacheLookups) },
  ];
}

/** Upstream: apiserver, plugin/pkg/authenticator/token/oidc/metrics.go. */
function issuerFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { authenticationMetrics, gates } = environment;
  const { issuerTokens, keySets } = authenticationMetrics;
  const prefix = "apiserver_authentication_jwt_authenticator";
  const latency: MetricFamily = {
    name: `${prefix}_latency_seconds`,
    type: "histogram",
    help: "Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).",
    histogram: issuerTokens,
  };
  if (!gates.since("1.35")) return [latency];
  return [
    latency,
    {
      name: `${prefix}_jwks_fetch_last_timestamp_seconds`,
      type: "gauge",
      help: "Timestamp of the last successful or failed JWKS fetch split by result, api server identity and jwt issuer for the JWT authenticator.",
      samples: new Map([...keySets].flatMap(([issuer, fetches]) => timesOf(issuer, fetches))),
    },
    {
      name: `${prefix}_jwks_fetch_last_key_set_info`,
      type: "gauge",
      help: "Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.",
      samples: new Map([...keySets].flatMap(([issuer, fetches]) => infoOf(issuer, fetches))),
    },
  ];
}

type Sample = readonly [labels: string, value: number];

function timesOf(issuer: string, { serverHash, failure, success }: KeySetFetches): readonly Sample[] {
  const labels = `apiserver_id_hash="${serverHash}",jwt_issuer_hash="${issuer}"`;
  return Object.entries({ failure, success }).flatMap(([result, time]) =>
    time === undefined ? [] : [[`${labels},result="${result}"`, time] as const],
  );
}

function infoOf(issuer: string, { serverHash, keySet }: KeySetFetches): readonly Sample[] {
  if (keySet === undefined) return [];
  return [[`apiserver_id_hash="${serverHash}",hash="${keySet}",jwt_issuer_hash="${issuer}"`, 1]];
}

/** The counters of the tokens of service accounts, with the release that brought them. */
const tokenCounters: readonly (readonly [counter: TokenCounter, since: Release, help: string])[] = [
  ["invalid_legacy_auto_token_uses_total", "1.29", "Cumulative invalid auto-generated legacy tokens used"],
  ["legacy_auto_token_uses_total", "1.28", "Cumulative auto-generated legacy tokens used"],
  ["legacy_manual_token_uses_total", "1.28", "Cumulative manually created legacy tokens used"],
  ["legacy_tokens_total", "1.19", "Cumulative legacy service account tokens used"],
  ["stale_tokens_total", "1.19", "Cumulative stale projected service account tokens used"],
  ["valid_tokens_total", "1.19", "Cumulative valid projected service account tokens used"],
];

/** Upstream: pkg/serviceaccount/metrics.go. */
function tokenFamilies({ authenticationMetrics, gates }: EndpointEnvironment): readonly MetricFamily[] {
  return tokenCounters
    .filter(([, since]) => gates.since(since))
    .map(([counter, , help]) => ({
      name: `serviceaccount_${counter}`,
      type: "counter",
      help,
      samples: new Map([["", authenticationMetrics.serviceAccountTokens(counter)]]),
    }));
}

const noSamples: Samples = new Map();

function labeled(label: string, counts: ReadonlyMap<string, number>): Samples {
  return new Map([...counts].map(([value, count]) => [`${label}="${value}"`, count]));
}
