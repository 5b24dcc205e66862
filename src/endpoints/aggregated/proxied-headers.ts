import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, sniffedText } from "../contract/endpoint-response.ts";
import type { RemoteRequest, RemoteResponse } from "./remote-server.ts";

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

/** Whether a header, in lower case, concerns one connection and not the request. */
export function isOfConnection(name: string): boolean {
  return ofConnection.has(name);
}

/** Whether this server has used a header, in lower case, or sets it itself. */
export function isConsumed(name: string): boolean {
  return consumed.test(name);
}

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

/** The addresses that a request has come from, with that of the client. */
export function forwardedFor({ request, peer }: RequestContext): RemoteRequest["headers"] {
  const addresses = [...request.headers.getAll("x-forwarded-for"), peer.remoteAddress].filter(Boolean);
  return addresses.length > 0 ? [["X-Forwarded-For", addresses.join(", ")]] : [];
}

/** The answer for the client. Upstream: apimachinery, pkg/util/proxy/upgradeaware.go. */
export function proxied({ status, headers, body }: RemoteResponse): EndpointResponse {
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
