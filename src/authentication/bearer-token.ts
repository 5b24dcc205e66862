import type { ApiRequest } from "../request/handler.ts";
import { type Authentication, type Authenticator, noOpinion } from "./authenticator.ts";
import { webSocketTokenOf } from "./web-socket-token.ts";

/** Authenticates a bearer token, or has no opinion. */
export type TokenAuthenticator = (token: string) => Promise<Authentication> | Authentication;

/**
 * The token of an `Authorization: Bearer` header; undefined without such a header or with more than one space before
 * the token.
 */
export function bearerTokenOf(request: ApiRequest): string | undefined {
  const header = request.headers.get("authorization")?.trim();
  if (header === undefined || !/^bearer /i.test(header)) return undefined;
  const end = header.indexOf(" ", bearer.length);
  const token = end < 0 ? header.slice(bearer.length) : header.slice(bearer.length, end);
  return token === "" ? undefined : token;
}

const bearer = "bearer ";

/**
 * Authenticates by bearer token, also by that of a WebSocket. An unknown token is a rejection; the request does not become
 * anonymous.
 */
export function bearerToken(authenticate: TokenAuthenticator): Authenticator {
  return (request) => {
    const token = bearerTokenOf(request) ?? webSocketTokenOf(request);
    if (token === undefined) return noOpinion;
    if (typeof token !== "string") return token;
    const answer = authenticate(token);
    return answer instanceof Promise ? answer.then(orRejection) : orRejection(answer);
  };
}

function orRejection(answer: Authentication): Authentication {
  return answer.type === "noOpinion" ? { type: "rejected", message: "invalid bearer token" } : answer;
}
