import type { ApiRequest } from "../request/handler.ts";
import {
  type Authentication,
  type Authenticator,
  noOpinion,
  rejected,
  type TokenAuthenticator,
} from "./contract/authenticator.ts";

const bearer = "bearer ";

/** The warning about a header such as `Bearer  token`. */
const extraSpace =
  "the provided Authorization header contains extra space before the bearer token, and is ignored";

/**
 * The token of an `Authorization: Bearer` header: its second part at single spaces. Undefined without such a header; empty
 * with more than one space before the token. Upstream: apiserver, pkg/authentication/request/bearertoken.
 */
export function bearerTokenOf(request: ApiRequest): string | undefined {
  const header = request.headers.get("authorization")?.trim();
  if (header === undefined || !/^bearer /i.test(header)) return undefined;
  const end = header.indexOf(" ", bearer.length);
  return end < 0 ? header.slice(bearer.length) : header.slice(bearer.length, end);
}

/** Authenticates by bearer token. An unknown token is a rejection; the request does not become anonymous. */
export function bearerToken(authenticate: TokenAuthenticator, audiences: readonly string[]): Authenticator {
  const authenticateKnown = knownToken(authenticate);
  return (request, _peer, warn) => {
    const token = bearerTokenOf(request);
    if (token === undefined) return noOpinion;
    if (token !== "") return authenticateKnown(token, audiences);
    warn(extraSpace);
    return noOpinion;
  };
}

/** A token that no method knows is a rejection. */
export function knownToken(authenticate: TokenAuthenticator): TokenAuthenticator {
  return (token, audiences) => {
    const answer = authenticate(token, audiences);
    return answer instanceof Promise ? answer.then(orRejection) : orRejection(answer);
  };
}

function orRejection(answer: Authentication): Authentication {
  return answer.type === "noOpinion" ? rejected("invalid bearer token") : answer;
}
