import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { type EndpointResponse, plainText } from "../contract/endpoint-response.ts";
import { forwardedFor, isConsumed, proxied, userHeaders } from "./proxied-headers.ts";
import type { ProxyTarget, RemoteRequest } from "./remote-server.ts";

/** The start of the subprotocol with a token, which only this server may see. */
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

/**
 * Whether a client requests another protocol on its connection. Upstream: apimachinery, pkg/util/httpstream, IsUpgradeRequest. Offers
 * of HTTP/2 without TLS count as ordinary requests.
 */
export function isUpgradeRequest({ headers }: ApiRequest): boolean {
  if (headers.get("upgrade")?.toLowerCase() === "h2c") return false;
  return headers.getAll("connection").some((value) => value.toLowerCase().includes("upgrade"));
}

/**
 * Offers a connection to another server, which takes it up with 101 or refuses it with an error of its own. Upstream: apimachinery,
 * pkg/util/proxy/upgradeaware.go, tryUpgrade.
 */
export async function proxyUpgrade(
  context: RequestContext,
  { server, url, host, hasUids }: ProxyTarget,
): Promise<EndpointResponse> {
  const { request, user } = context;
  const failed = (reason: string) => plainText(503, `${reason}\n`);
  if (request.connection === undefined) {
    return failed("request connection cannot be hijacked: only HTTP/1.1 on a port has connections");
  }
  try {
    const response = await server({
      method: request.method,
      url,
      host,
      headers: [...sentHeaders(context), ...userHeaders(user, hasUids)],
      body: undefined,
      connection: request.connection(),
      signal: request.signal,
    });
    if (response.status === 101 && isStreamed(response.body)) return response;
    if (response.status >= 400) return proxied(response);
    if (isStreamed(response.body)) await response.body[Symbol.asyncIterator]().return?.();
    return failed(`invalid upgrade response: status code ${response.status}`);
  } catch (error) {
    return failed(`error dialing backend: ${messageOf(error)}`);
  }
}

/** The headers of the client, with those of its connection, and without its credentials. */
function sentHeaders(context: RequestContext): RemoteRequest["headers"] {
  const sent = context.request.headers
    .startingWith("")
    .filter(([name]) => !isConsumed(name) && name !== "x-forwarded-for")
    .map(([name, value]): readonly [string, string] =>
      name === "sec-websocket-protocol" ? [name, withoutToken(value)] : [name, value],
    )
    .filter(([, value]) => value !== "");
  const { method } = context.request;
  // The connection has no body: what follows the head belongs to the other protocol.
  const length = method === "GET" || method === "HEAD" ? [] : [["Content-Length", "0"] as const];
  return [...sent, ...length, ...forwardedFor(context)];
}

/** The offered subprotocols without the one that contains a token. */
export function withoutToken(protocols: string): string {
  const kept = protocols.split(",").filter((protocol) => !protocol.trim().startsWith(tokenProtocol));
  return kept.join(",").trim();
}
