import { bearerToken, bearerTokenOf, knownToken } from "./bearer-token.ts";
import { bootstrapTokens } from "./bootstrap-token.ts";
import { clientCertificate } from "./certificates/client-certificate.ts";
import type { AuthenticationEnvironment } from "./contract/authentication-environment.ts";
import type { AuthenticationMetrics } from "./contract/authentication-metrics.ts";
import {
  type Authentication,
  type Authenticator,
  anyOf,
  noOpinion,
  type TokenAuthenticator,
} from "./contract/authenticator.ts";
import type { ConfigurationReloads } from "./contract/configuration-reloads.ts";
import type { AnonymousConfiguration } from "./contract/jwt-configuration.ts";
import { cachedTokens } from "./contract/token-cache.ts";
import { openIdConnect } from "./open-id-connect.ts";
import { requestHeader } from "./request-header/request-header.ts";
import {
  boundServiceAccountTokens,
  legacyServiceAccountTokens,
} from "./service-account/service-account-tokens.ts";
import { authenticated, StaticTokens } from "./static-token.ts";
import { webSocketToken } from "./web-socket-token.ts";
import { webhookTokens } from "./webhook/webhook-tokens.ts";

/** A method of authentication, or undefined if the configuration does not enable it. */
type Method<A> = (environment: AuthenticationEnvironment) => A | undefined;

/** The methods that take a bearer token, in upstream's order (kubernetes, pkg/kubeapiserver/authenticator/config.go). */
const tokenMethods: readonly Method<TokenAuthenticator>[] = [
  tokenFile,
  legacyServiceAccountTokens,
  boundServiceAccountTokens,
  bootstrapTokens,
  webhookTokens,
];

/** The methods that look at something else of the request. They come before the bearer tokens. */
const requestMethods: readonly Method<Authenticator>[] = [requestHeader, clientCertificate];

/** For how long: upstream's `TokenSuccessCacheTTL` of the built-in authentication options. Failures are not remembered. */
const remembered = { successMilliseconds: 10_000, failureMilliseconds: 0 };

/** The chain of a cluster. */
export interface AuthenticationChain {
  readonly authenticate: Authenticator;
  readonly metrics: AuthenticationMetrics;
  /** Authenticates a bearer token for these audiences with every method that takes one. */
  readonly authenticateToken: TokenAuthenticator;
  /** Reads the configuration of issuers; undefined once that is over. Requests wait for it. */
  readonly ready: () => Promise<void> | undefined;
  /** Asks the issuers of ID tokens for their discovery documents. Without it, the first token does. */
  readonly discover: () => void;
  /** Which requests without credentials are anonymous; undefined if the flag decides. */
  readonly anonymous: () => AnonymousConfiguration | undefined;
  /** Undefined if no text configures issuers. */
  readonly reloads: () => ConfigurationReloads | undefined;
}

/** The chain of the enabled methods. `issued` are the tokens of the cluster's own clients and of tests. */
export function authenticationChain(
  environment: AuthenticationEnvironment,
  issued: StaticTokens,
): AuthenticationChain {
  const { config, metrics } = environment;
  const { apiAudiences } = config;
  const { authenticate } = issued;
  // The issuers have more members than other methods. They come last, as in upstream.
  const issuers = openIdConnect(environment);
  const all = [
    ...enabled(tokenMethods, environment),
    ...(issuers === undefined ? [] : [issuers.authenticate]),
  ];
  const methods = all.map((method) => forAudiences(method, apiAudiences));
  const ofMethods = cachedTokens(anyOf(methods), { ...environment, ...remembered, apiAudiences });
  // As in upstream, the server's own tokens are a method of the request before all others: an error names both.
  // Upstream: apiserver, pkg/server/config.go, `AuthorizeClientBearerToken`.
  const chain = anyOf([
    bearerToken(authenticate, apiAudiences),
    ...enabled(requestMethods, environment),
    bearerToken(ofMethods, apiAudiences),
    webSocketToken(anyOf([authenticate, ofMethods]), apiAudiences),
  ]);
  const review = anyOf([knownToken(forAudiences(authenticate, apiAudiences)), knownToken(ofMethods)]);
  return {
    metrics,
    authenticate: (request, peer, warn) => {
      // Most requests have a token that the cluster issued.
      const token = bearerTokenOf(request);
      const known = token === undefined ? noOpinion : authenticate(token);
      if (known.type === "authenticated") return known;
      const answer = chain(request, peer, warn);
      return answer instanceof Promise ? answer.then(withGroup) : withGroup(answer);
    },
    authenticateToken: (token, audiences) => {
      const answer = review(token, audiences);
      return answer instanceof Promise ? answer.then(withGroup) : withGroup(answer);
    },
    ready: () => issuers?.ready(),
    discover: () => issuers?.discover(),
    anonymous: () => issuers?.anonymous(),
    reloads: () => issuers?.reloads(),
  };
}

function enabled<A>(methods: readonly Method<A>[], environment: AuthenticationEnvironment): readonly A[] {
  return methods.map((method) => method(environment)).filter((method) => method !== undefined);
}

/**
 * Lets a method that does not know audiences answer for those of the API alone. Upstream: apiserver,
 * pkg/authentication/authenticator/audagnostic.go.
 */
function forAudiences(authenticate: TokenAuthenticator, apiAudiences: readonly string[]): TokenAuthenticator {
  return (token, wanted) => {
    const answer = authenticate(token, wanted);
    if (wanted === apiAudiences) return answer;
    const narrowed = (settled: Authentication): Authentication => {
      if (settled.type !== "authenticated" || settled.audiences !== undefined) return settled;
      const audiences = wanted.filter((audience) => apiAudiences.includes(audience));
      return audiences.length === 0 ? noOpinion : { ...settled, audiences };
    };
    return answer instanceof Promise ? answer.then(narrowed) : narrowed(answer);
  };
}

/** Adds the group of all users that are authenticated. */
function withGroup(answer: Authentication): Authentication {
  if (answer.type !== "authenticated") return answer;
  const user = authenticated(answer.user);
  return user === answer.user ? answer : { ...answer, user };
}

function tokenFile({ config: { tokens }, clock }: AuthenticationEnvironment): TokenAuthenticator | undefined {
  return tokens.size === 0 ? undefined : new StaticTokens(clock, tokens).authenticate;
}
