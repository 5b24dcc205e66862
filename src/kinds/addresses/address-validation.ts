import { type FieldError, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { cidrContains, type IpAddress, parseCidr, parseIp } from "../../apimachinery/ip.ts";
import { dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";
import { cidrMessages, ipMessages } from "../../apimachinery/validation/value-formats.ts";

/** Validates an IP address. */
export function ipErrors(ip: string, field: string): readonly FieldError[] {
  return ipMessages(ip).map((message) => fieldInvalid(field, ip, message));
}

/** Validates a CIDR. */
export function cidrErrors(cidr: string, field: string): readonly FieldError[] {
  return cidrMessages(cidr).map((message) => fieldInvalid(field, cidr, message));
}

const loopback = ["127.0.0.0/8", "::1/128"];
const linkLocal = ["169.254.0.0/16", "fe80::/10"];
// Upstream's message says `ff02::/10`; its check compares the four scope bits.
const linkLocalMulticast = [
  "224.0.0.0/24",
  ...Array.from({ length: 16 }, (_, flags) => `ff${flags.toString(16)}2::/16`),
];

/** Rejects addresses that are local to a node, which endpoints and external addresses cannot have. */
export function nonSpecialIpErrors(ip: string, field: string): readonly FieldError[] {
  const address = parseIp(ip);
  if (address === undefined) return [fieldInvalid(field, ip, "must be a valid IP address")];
  const details: string[] = [];
  if (address.every((byte) => byte === 0)) details.push(`may not be unspecified (${ip})`);
  if (isWithin(address, loopback)) details.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (isWithin(address, linkLocal)) {
    details.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (isWithin(address, linkLocalMulticast)) {
    details.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return details.map((detail) => fieldInvalid(field, ip, detail));
}

/** Validates the host name of a load balancer. */
export function balancerHostnameErrors(hostname: string, field: string): readonly FieldError[] {
  if (hostname === "") return [];
  const errors = dnsSubdomainMessages(hostname).map((message) => fieldInvalid(field, hostname, message));
  if (parseIp(hostname) === undefined) return errors;
  return [...errors, fieldInvalid(field, hostname, "must be a DNS name, not an IP address")];
}

function isWithin(address: IpAddress, networks: readonly string[]): boolean {
  return networks.some((network) => {
    const cidr = parseCidr(network);
    return cidr !== undefined && cidrContains(cidr, address);
  });
}
