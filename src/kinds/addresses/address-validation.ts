import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import { cidrContains, type IpAddress, parseCidr, parseIp } from "../../apimachinery/ip.ts";
import { addInvalid, type Findings } from "../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";
import type { AddressRules } from "./address-rules.ts";

/** Validates an IP address. */
export function addIpErrors(errors: Findings, ip: string, field: string, rules: AddressRules): void {
  addInvalid(errors, field, ip, rules.ip(ip));
}

/** Validates a CIDR. */
export function addCidrErrors(errors: Findings, cidr: string, field: string, rules: AddressRules): void {
  addInvalid(errors, field, cidr, rules.cidr(cidr));
}

const loopback = ["127.0.0.0/8", "::1/128"];
const linkLocal = ["169.254.0.0/16", "fe80::/10"];
// Upstream's message says `ff02::/10`; its check compares the four scope bits.
const linkLocalMulticast = [
  "224.0.0.0/24",
  ...Array.from({ length: 16 }, (_, flags) => `ff${flags.toString(16)}2::/16`),
];

/** Rejects addresses that are local to a node, which endpoints and external addresses cannot have. */
export function addNonSpecialIpErrors(errors: Findings, ip: string, field: string): void {
  const address = parseIp(ip);
  if (address === undefined) {
    errors.push(fieldInvalid(field, ip, "must be a valid IP address"));
    return;
  }
  const details: string[] = [];
  if (address.every((byte) => byte === 0)) details.push(`may not be unspecified (${ip})`);
  if (isWithin(address, loopback)) details.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (isWithin(address, linkLocal)) {
    details.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (isWithin(address, linkLocalMulticast)) {
    details.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  addInvalid(errors, field, ip, details);
}

/** Validates the host name of a load balancer. */
export function addBalancerHostnameErrors(errors: Findings, hostname: string, field: string): void {
  if (hostname === "") return;
  addInvalid(errors, field, hostname, dnsSubdomainMessages(hostname));
  if (parseIp(hostname) === undefined) return;
  errors.push(fieldInvalid(field, hostname, "must be a DNS name, not an IP address"));
}

function isWithin(address: IpAddress, networks: readonly string[]): boolean {
  return networks.some((network) => {
    const cidr = parseCidr(network);
    return cidr !== undefined && cidrContains(cidr, address);
  });
}
