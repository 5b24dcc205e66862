import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, plainText } from "../contract/endpoint-response.ts";
import { forwardedFor, isConsumed, isOfConnection, proxied, userHeaders } from "./proxied-headers.ts";
import { isUpgradeRequest, proxyUpgrade } from "./proxied-upgrade.ts";
import type { RemoteRequest, RemoteServer } from "./remote-server.ts";

/** The most bytes of a body that is not streamed to the other server. */
const longestBody = 64 * 1024 * 1024;

/** Sends a request of a client on to another server. `host` is what the server is called. Upstream: handler_proxy.go. */
export async function proxy(
  context: RequestContext,
  server: RemoteServer,
  { host, hasUids }: { readonly host: string; readonly hasUids: boolean },
): Promise<EndpointResponse> {
  const { request, user } = context;
  const url = new URL(`https://${host}${request.target}`);
  url.searchParams.sort();
  if (isUpgradeRequest(request)) return proxyUpgrade(context, { server, url, host, hasUids });
  try {
    const response = await server({
      method: request.method,
      url,
      host,
      headers: [...sentHeaders(context, url.pathname, host), ...userHeaders(user, hasUids)],
      body: await bodyOf(request),
      connection: undefined,
      signal: request.signal,
    });
    return proxied(response);
  } catch (error) {
    const reason = messageOf(error);
    return plainText(503, `error trying to reach service: ${reason}\n`);
  }
}

function sentHeaders(context: RequestContext, path: string, host: string): RemoteRequest["headers"] {
  const { headers } = context.request;
  const named = (headers.get("connection") ?? "").toLowerCase().split(/[ ,]+/);
  const isSent = ([name]: readonly [string, string]) =>
    !isConsumed(name) && !isOfConnection(name) && !named.includes(name) && name !== "x-forwarded-for";
  return [
    ...headers.startingWith("").filter(isSent),
    ...forwardedFor(context),
    ["X-Forwarded-Host", host],
    ["X-Forwarded-Proto", "https"],
    ["X-Forwarded-Uri", path],
  ];
}

async function bodyOf(request: ApiRequest): Promise<RemoteRequest["body"]> {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  if (request.pieces !== undefined) return request.pieces();
  const body = await request.body(longestBody);
  return body.byteLength === 0 ? undefined : body;
}
