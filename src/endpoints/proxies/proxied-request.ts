import { plainError, serviceUnavailable } from "../../apimachinery/errors/errors.ts";
import type { ProxiedTo } from "../../registry/contract/pod-connections.ts";
import type { ApiRequest, ApiResponse } from "../../request/handler.ts";
import { isConsumed, isOfConnection } from "../aggregated/proxied-headers.ts";
import type { RemoteResponse, RemoteServer } from "../aggregated/remote-server.ts";

/** The path of a proxy, before what goes to the other server. */
const proxyPath = /^(\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy)(\/[^?]*)?(\?.*)?$/;

/**
 * Sends a request on to a pod, a service or a node. Redirects lead to the proxy again. Upstream: apimachinery,
 * pkg/util/proxy/upgradeaware.go and transport.go.
 * @throws {StatusError} serviceUnavailable if the server cannot be reached
 */
export async function proxiedRequest(
  server: RemoteServer,
  { scheme, host }: ProxiedTo,
  request: ApiRequest,
): Promise<ApiResponse> {
  const [, prefix = "", path = "/", query = ""] = proxyPath.exec(request.target) ?? [];
  const { method, headers, signal } = request;
  if (headers.getAll("connection").some((value) => value.toLowerCase().includes("upgrade"))) {
    throw plainError(500, "error dialing backend: a function cannot take up another protocol");
  }
  const kept = headers.startingWith("").filter(([name]) => !isConsumed(name) && !isOfConnection(name));
  const forwarded = [
    ["X-Forwarded-Uri", prefix + path],
    ["X-Forwarded-Host", headers.get("host") ?? ""],
    ["X-Forwarded-Proto", "https"],
  ] as const;
  const hasBody = method !== "GET" && method !== "HEAD";
  const url = new URL(`${scheme === "https" ? "https" : "http"}://${host}${path}${query}`);
  try {
    const response = await server({
      method,
      url,
      host,
      headers: [...kept, ...forwarded.filter(([, value]) => value !== "")],
      body: hasBody ? (request.pieces?.() ?? (await request.body(longestBody))) : undefined,
      connection: undefined,
      signal,
    });
    return answerOf(response, prefix, host);
  } catch (error) {
    throw serviceUnavailable(
      `error trying to reach service: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** As long as a body may be that comes in one piece. */
const longestBody = 64 * 1024 * 1024;

function answerOf({ status, headers, body }: RemoteResponse, prefix: string, host: string): ApiResponse {
  const kept = headers
    .filter(([name]) => !isOfConnection(name.toLowerCase()) && name.toLowerCase() !== "content-length")
    .map(([name, value]): readonly [string, string] =>
      name.toLowerCase() === "location" ? [name, throughProxy(value, prefix, host)] : [name, value],
    );
  return { status, headers: kept, body };
}

/** A place on the other server, as the client reaches it. */
function throughProxy(location: string, prefix: string, host: string): string {
  if (location.startsWith("/") && !location.startsWith("//")) {
    return location.startsWith(prefix) ? location : prefix + location;
  }
  if (!URL.canParse(location)) return location;
  const url = new URL(location);
  return url.host === host ? `${prefix}${url.pathname}${url.search}${url.hash}` : location;
}
