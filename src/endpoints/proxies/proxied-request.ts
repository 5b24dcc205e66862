import { plainError, serviceUnavailable } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { ProxiedTo } from "../../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";
import { isStreamed } from "../../request/response-stream.ts";
import { isConsumed, isOfConnection } from "../aggregated/proxied-headers.ts";
import { withoutToken } from "../aggregated/proxied-upgrade.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "../aggregated/remote-server.ts";
import { type LinkSource, linkThroughProxy } from "./link-through-proxy.ts";
import { isPage, pageWithLinks } from "./page-through-proxy.ts";

/** The path of a proxy, before what goes to the other server. */
const proxyPath = /^(\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy)(\/[^?]*)?(\?.*)?$/;

/** As long as a body may be that comes in one piece. */
const longestBody = 64 * 1024 * 1024;

/**
 * Sends a request on to a pod, a service or a node. Redirects and links of pages lead to the proxy again. Upstream: apimachinery,
 * pkg/util/proxy/upgradeaware.go and transport.go.
 * @throws {StatusError} serviceUnavailable if the server cannot be reached
 */
export async function proxiedRequest(
  server: RemoteServer,
  { scheme, host }: ProxiedTo,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { method, headers } = request;
  const { prefix, url } = placeOf(request, scheme, host);
  const hasBody = method !== "GET" && method !== "HEAD";
  const kept = sentHeaders(request, prefix, url).filter(([name]) => !isOfConnection(name));
  try {
    const body = hasBody ? (request.pieces?.() ?? (await request.body(longestBody))) : undefined;
    const sent = { method, url, host, headers: kept, body, connection: undefined, signal: request.signal };
    const response = await server(sent);
    return await answerOf(response, { prefix, host, requestedHost: headers.get("host") ?? "" });
  } catch (error) {
    throw serviceUnavailable(`error trying to reach service: ${messageOf(error)}`);
  }
}

/**
 * Offers the client's connection to a server, which takes it up with 101, or answers as to any other request. Upstream: apimachinery,
 * pkg/util/proxy/upgradeaware.go, tryUpgrade.
 * @throws {StatusError} if the server cannot be reached, or the transport has no connection
 */
export async function proxiedUpgrade(
  server: RemoteServer,
  { scheme, host }: ProxiedTo,
  request: ApiRequest,
): Promise<ApiResponse> {
  if (request.connection === undefined) throw plainError(500, "request connection cannot be hijacked");
  const { prefix, url } = placeOf(request, scheme, host);
  const { method, signal, connection } = request;
  const headers = sentHeaders(request, prefix, url);
  try {
    const sent = { method, url, host, headers, body: undefined, connection: connection(), signal };
    const response = await server(sent);
    if (response.status === 101 && isStreamed(response.body)) return response;
    return { ...response, headers: response.headers.filter(([name]) => isPassed(name)) };
  } catch (error) {
    throw plainError(500, `error dialing backend: ${messageOf(error)}`);
  }
}

/** The path of the proxy, and the URL of what is behind it. */
export function placeOf(
  { target }: ApiRequest,
  scheme: string,
  host: string,
): { readonly prefix: string; readonly url: URL } {
  const [, prefix = "", path = "", query = ""] = proxyPath.exec(target) ?? [];
  return { prefix, url: new URL(`${scheme === "https" ? "https" : "http"}://${host}${path}${query}`) };
}

/** The headers of the client without its credentials. */
function sentHeaders({ headers }: ApiRequest, prefix: string, { pathname }: URL): RemoteRequest["headers"] {
  const kept = headers
    .startingWith("")
    .filter(([name]) => !isConsumed(name))
    .map(([name, value]): readonly [string, string] =>
      name === "sec-websocket-protocol" ? [name, withoutToken(value)] : [name, value],
    );
  const forwarded = [
    ["X-Forwarded-Uri", prefix + pathname],
    ["X-Forwarded-Host", headers.get("host") ?? ""],
    ["X-Forwarded-Proto", "https"],
  ] as const;
  return [...kept, ...forwarded].filter(([, value]) => value !== "");
}

async function answerOf(response: RemoteResponse, source: LinkSource): Promise<ApiResponse> {
  const { status, headers, body } = response;
  const kept = headers.filter(([name]) => isPassed(name));
  const location = headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  const through = (link: string) => linkThroughProxy(link, source);
  if (location) {
    const changed = kept.map(([name, value]): readonly [string, string] =>
      name.toLowerCase() === "location" ? [name, through(value)] : [name, value],
    );
    return { status, headers: changed, body };
  }
  return { status, headers: kept, body: isPage(response) ? await pageWithLinks(response, through) : body };
}

/** Headers of CORS are those of this server alone (upgradeaware.go, corsRemovingTransport). */
const ofCors = /^access-control-allow-(?:credentials|headers|methods|origin)$/;

function isPassed(name: string): boolean {
  const lower = name.toLowerCase();
  return !isOfConnection(lower) && lower !== "content-length" && !ofCors.test(lower);
}
