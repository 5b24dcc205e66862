import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, plainText, sniffedText } from "../contract/endpoint-response.ts";
import type { RemoteRequest, RemoteResponse, RemoteServer } from "./remote-server.ts";

/** Headers that concern one connection, not the request: net/http/httputil, reverseproxy.go. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that this server has used, or sets itself. */
const consumed =
  /^(?::|(?:authorization|content-length|host|x-remote-(?:user|uid|group)|x-forwarded-(?:uri|host|proto))$|impersonate-|x-remote-extra-)/;

/** Headers of an answer that this server sets itself, or removes because it allows origins by its own rule. */
const replaced =
  /^(?:audit-id|content-length|date|access-control-(?:allow-(?:credentials|headers|methods|origin)|expose-headers))$/;

/** The most bytes of a body that is not streamed to the other server. */
const longestBody = 64 * 1024 * 1024;

/** The headers that name a user to another server. Upstream: client-go, transport/round_trippers.go, SetAuthProxyHeaders. */
export function userHeaders(user: UserInfo, hasUids: boolean): RemoteRequest["headers"] {
  return [
    ["X-Remote-User", user.name],
    ...(hasUids && user.uid !== "" ? [["X-Remote-Uid", user.uid] as const] : []),
    ...user.groups.map((group) => ["X-Remote-Group", group] as const),
    ...Object.entries(user.extra).flatMap(([key, values]) =>
      values.map((value) => [`X-Remote-Extra-${escapedKey(key)}`, value] as const),
    ),
  ];
}

/** A key as part of a header's name: other bytes than those of a token, and percent signs, are escaped. */
function escapedKey(key: string): string {
  let escaped = "";
  for (const byte of new TextEncoder().encode(key.toLowerCase())) {
    const character = String.fromCharCode(byte);
    const isPlain = /[!#$&'*+.^_`|~0-9A-Za-z-]/.test(character);
    escaped += isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/** Sends a request of a client on to another server. `host` is what the server is called. */
export async function proxy(
  context: RequestContext,
  server: RemoteServer,
  { host, hasUids }: { readonly host: string; readonly hasUids: boolean },
): Promise<EndpointResponse> {
  const { request, user } = context;
  const url = new URL(`https://${host}${request.target}`);
  url.searchParams.sort();
  try {
    const response = await server({
      method: request.method,
      url,
      host,
      headers: [...sentHeaders(context, url.pathname, host), ...userHeaders(user, hasUids)],
      body: await bodyOf(request),
      signal: request.signal,
    });
    return proxied(response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return plainText(503, `error trying to reach service: ${reason}\n`);
  }
}

function sentHeaders(
  { request, peer }: RequestContext,
  path: string,
  host: string,
): RemoteRequest["headers"] {
  const named = (request.headers.get("connection") ?? "").toLowerCase().split(/[ ,]+/);
  const isSent = ([name]: readonly [string, string]) =>
    !consumed.test(name) && !ofConnection.has(name) && !named.includes(name);
  const all = request.headers.startingWith("");
  const forwarded = [...request.headers.getAll("x-forwarded-for"), peer.remoteAddress].filter(Boolean);
  return [
    ...all.filter((header) => isSent(header) && header[0] !== "x-forwarded-for"),
    ...(forwarded.length > 0 ? [["X-Forwarded-For", forwarded.join(", ")] as const] : []),
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

/** The answer for the client. Upstream: apimachinery, pkg/util/proxy/upgradeaware.go. */
function proxied({ status, headers, body }: RemoteResponse): EndpointResponse {
  if (status >= 300 && status < 400 && headers.some(([name]) => name.toLowerCase() === "location")) {
    return sniffedText(502, "the backend attempted to redirect this request, which is not permitted");
  }
  const kept = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !ofConnection.has(lower) && !replaced.test(lower);
  });
  return { status, headers: kept.map(([name, value]) => [canonical(name), value]), body };
}

/** The name of a header as Go writes it. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
