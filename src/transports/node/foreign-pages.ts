import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { apiServerHosts } from "./certificates.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Which hosts and origins may use a port besides clients of the same machine. */
export interface PagePolicy {
  /** The names, in lower case, by which clients may call the port, and whose web pages may use it. */
  readonly allowedHosts: readonly string[];
  /** Whether web pages of an origin may use the cluster. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/** No origin is longer: a scheme, a host name of at most 253 characters and a port. */
const longestOrigin = 300;

/**
 * Why a port without TLS refuses a request; undefined if it does not. A browser sends requests of any web page to a loopback
 * address, and lets the page read the answers if its own name resolves to that address (DNS rebinding). So the port answers only
 * to names that mean this machine, and only to pages from it. A name cannot be rebound if it is an address.
 */
export function foreignPages({
  allowedHosts,
  allowsOrigin,
}: PagePolicy): (message: IncomingMessage) => Refusal | undefined {
  const known = new Set([...apiServerHosts, ...allowedHosts]);
  const isOwnHost = (name: string): boolean => isIP(name) !== 0 || isLocal(name) || known.has(name);
  const isOwnOrigin = (origin: string, host: string): boolean => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url === undefined || origin.length > longestOrigin) return false;
    const name = nameIn(url.host);
    return url.host === host || isLocal(name) || allowedHosts.includes(name) || allowsOrigin(origin);
  };
  return ({ headers }) => {
    const { host = "", origin, "sec-fetch-site": site } = headers;
    const name = nameIn(host.toLowerCase());
    if (name !== "" && !isOwnHost(name)) return refusalOf(`The host ${JSON.stringify(name)}`, name);
    if (origin !== undefined) return isOwnOrigin(origin, host) ? undefined : refusalOfOrigin(origin);
    return site === "cross-site"
      ? refusal(403, "Forbidden", `A page of another site ${denied}.\n`)
      : undefined;
  };
}

const denied = "may not use this server, which runs without TLS";

function refusalOfOrigin(origin: string): Refusal {
  const shown = origin.slice(0, longestOrigin);
  const name = URL.canParse(shown) ? nameIn(new URL(shown).host) : "";
  return refusalOf(`The origin ${JSON.stringify(shown)}`, name);
}

function refusalOf(subject: string, name: string): Refusal {
  const allowed = name === "" ? "" : `; --allowed-hosts ${name} or the option allowedHosts allows it`;
  return refusal(403, "Forbidden", `${subject} ${denied}${allowed}.\n`);
}

/** The name in a host with an optional port; an IPv6 address loses its brackets, a full name its last dot. */
function nameIn(host: string): string {
  const end = host.startsWith("[") ? host.indexOf("]") : host.indexOf(":");
  const name = end < 0 ? host : host.slice(0, end);
  return name.startsWith("[") ? name.slice(1) : name.replace(/\.$/, "");
}

/** Whether a name means the machine itself (RFC 6761, 6.3). */
export function isLocal(name: string): boolean {
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}
