import { goQuote } from "../apimachinery/go/go-quote.ts";
import { parseIp } from "../apimachinery/ip.ts";
import { WebhookError } from "./webhook-error.ts";

/** Where the server connects to. */
export interface Address {
  /** A name or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Dotted without leading zeros: a resolver reads `0127.0.0.1` as another address. */
const loopbackIpv4 = /^127(\.(0|[1-9][0-9]{0,2})){3}$/;

/** Whether a host is certain to be this machine: `localhost`, an address of 127.0.0.0/8, or ::1, also in brackets. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1" || host === "[::1]") return true;
  return loopbackIpv4.test(host) && parseIp(host) !== undefined;
}

/**
 * An address that an object of the cluster names, which counts only if it is on this machine: no object makes the server connect to
 * another one. `title` is the name by which the owner of the cluster may say where it is.
 * @throws {WebhookError} in the words of a failed connection
 */
export function loopbackAddress(address: Address, title: string): Address {
  if (isLoopback(address.host)) return address;
  const problem =
    parseIp(address.host) === undefined
      ? `dial tcp: lookup ${address.host}: no such host`
      : `dial tcp ${shownAddress(address).host}: connect: no route to host`;
  throw new WebhookError(
    `${problem}; name its address with cluster.serviceAt(${goQuote(title)}, "host:port") or --service-at ${title}=host:port`,
  );
}

/** An address as Go shows it. */
export function shownAddress({ host, port }: Address): Pick<URL, "host" | "hostname"> {
  return { hostname: host, host: `${host.includes(":") ? `[${host}]` : host}:${port}` };
}
