import { decodeBase64Url } from "../codec/base64-url.ts";
import type { ApiRequest } from "../request/handler.ts";
import { knownToken } from "./bearer-token.ts";
import {
  type Authenticator,
  noOpinion,
  type Rejection,
  rejected,
  type TokenAuthenticator,
} from "./contract/authenticator.ts";

const prefix = "base64url.bearer.authorization.k8s.io.";

/** Authenticates by the bearer token of a WebSocket. Upstream: apiserver, pkg/authentication/request/websocket. */
export function webSocketToken(
  authenticate: TokenAuthenticator,
  audiences: readonly string[],
): Authenticator {
  const authenticateKnown = knownToken(authenticate);
  return (request) => {
    const token = webSocketTokenOf(request);
    if (token === undefined) return noOpinion;
    return typeof token === "string" ? authenticateKnown(token, audiences) : token;
  };
}

/**
 * The bearer token in the subprotocols of a WebSocket, where browsers can put it; undefined without one. The client must offer
 * another subprotocol too, because the server never selects the one with the token.
 */
export function webSocketTokenOf({ headers }: ApiRequest): string | Rejection | undefined {
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
  const protocols = headers
    .getAll("sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((protocol) => protocol.trim());
  const [encoded, ...others] = protocols.filter((protocol) => protocol.startsWith(prefix));
  if (encoded === undefined) return undefined;
  if (others.length > 0) return rejected("multiple base64.bearer.authorization tokens specified");
  const token = textOf(encoded.slice(prefix.length));
  if (token === undefined) return rejected("invalid base64.bearer.authorization token encoding");
  if (token === "") return undefined;
  return protocols.length > 1 ? token : rejected("missing additional subprotocol");
}

function textOf(base64Url: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(decodeBase64Url(base64Url));
  } catch {
    return undefined;
  }
}
