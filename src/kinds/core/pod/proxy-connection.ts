import { badRequest, plainError, serviceUnavailable } from "../../../apimachinery/errors/errors.ts";
import { cidrContains, parseCidr, parseIp } from "../../../apimachinery/ip.ts";
import type { Connection } from "../../../registry/contract/pod-connections.ts";
import type { Connected, ConnectRequest } from "../../../registry/contract/rest.ts";
import { dialError, type Endpoint } from "./kubelet-connection.ts";

/** What the path of a proxy request names: `name`, `name:port` or `scheme:name:port`. */
export interface ProxyTarget {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** The target in a path; undefined if it is malformed. Upstream: apimachinery, pkg/util/net/port_split.go. */
export function proxyTarget(id: string): ProxyTarget | undefined {
  const parts = id.split(":");
  const [scheme = "", name = "", port = ""] = parts.length < 3 ? ["", ...parts] : parts;
  if (name === "" || parts.length > 3 || !["", "http", "https"].includes(scheme)) return undefined;
  return { scheme, name, port };
}

const notGlobal = ["0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"];
const notGlobalIpv6 = ["::/128", "::1/128", "fe80::/10", "ff00::/8"];
const forbiddenNetworks = [...notGlobal, ...notGlobalIpv6]
  .map(parseCidr)
  .filter((cidr) => cidr !== undefined);

/**
 * Refuses an address that is not Go's `IsGlobalUnicast`: one that is loopback, link-local or multicast, or none.
 * @throws {StatusError} badRequest
 */
export function checkProxyable(host: string): void {
  const address = parseIp(host);
  const isGlobal = address !== undefined && !forbiddenNetworks.some((cidr) => cidrContains(cidr, address));
  if (!isGlobal) throw badRequest("address not allowed");
}

/** The result of a proxy request that something answers, unless the client is redirected first. */
export function proxiedTo(connection: Connection, request: ConnectRequest): Connected {
  return isRedirected(request) ? "redirect" : connection;
}

/**
 * The result of a proxy request to an endpoint where nothing listens.
 * @throws {StatusError} the failure to connect, unless the client is redirected first
 */
export function proxied(endpoint: Endpoint, request: ConnectRequest): Connected {
  const error = dialError(endpoint);
  if (request.isUpgrade) throw plainError(500, `error dialing backend: ${error}`);
  if (isRedirected(request)) return "redirect";
  throw serviceUnavailable(`error trying to reach service: ${error}`);
}

/** Whether the client is sent to the path with a slash, so that relative links stay below it. */
function isRedirected({ method, subpath, isUpgrade }: ConnectRequest): boolean {
  return !isUpgrade && subpath === "" && (method === "GET" || method === "HEAD");
}
