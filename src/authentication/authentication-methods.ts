import type { AuthenticationEnvironment } from "./authentication-environment.ts";
import {
  type Authentication,
  type Authenticator,
  anyOf,
  noOpinion,
  type TokenAuthenticator,
} from "./authenticator.ts";
import { bearerToken, bearerTokenOf } from "./bearer-token.ts";
import { authenticated, StaticTokens } from "./static-token.ts";
import { webSocketToken } from "./web-socket-token.ts";

/** A method of authentication, or undefined if the configuration does not enable it. */
type Method<A> = (environment: AuthenticationEnvironment) => A | undefined;

/** The methods that take a bearer token, in upstream's order (kubernetes, pkg/kubeapiserver/authenticator/config.go). */
const tokenMethods: readonly Method<TokenAuthenticator>[] = [tokenFile];

/** The methods that look at something else of the request. They come before the bearer tokens. */
const requestMethods: readonly Method<Authenticator>[] = [];

/** Authenticates requests. */
export function authenticatorOf(environment: AuthenticationEnvironment): Authenticator {
  const { apiAudiences } = environment.config;
  const { authenticate } = environment.issued;
  const authenticateToken = anyOf(enabled(tokenMethods, environment));
  const ofTokens = [bearerToken, webSocketToken].map((method) => method(authenticateToken, apiAudiences));
  const chain = anyOf([
    bearerToken(authenticate, apiAudiences),
    ...enabled(requestMethods, environment),
    ...ofTokens,
  ]);
  return (request, peer, warn) => {
    // Most requests have a token that the cluster issued.
    const token = bearerTokenOf(request);
    const known = token === undefined ? noOpinion : authenticate(token);
    if (known.type === "authenticated") return known;
    const answer = chain(request, peer, warn);
    return answer instanceof Promise ? answer.then(withGroup) : withGroup(answer);
  };
}

function enabled<A>(methods: readonly Method<A>[], environment: AuthenticationEnvironment): readonly A[] {
  return methods.map((method) => method(environment)).filter((method) => method !== undefined);
}

/** Adds the group of all users that are authenticated. */
function withGroup(answer: Authentication): Authentication {
  if (answer.type !== "authenticated") return answer;
  const user = authenticated(answer.user);
  return user === answer.user ? answer : { ...answer, user };
}

function tokenFile({ config: { tokens } }: AuthenticationEnvironment): TokenAuthenticator | undefined {
  return tokens.size === 0 ? undefined : new StaticTokens(tokens).authenticate;
}
