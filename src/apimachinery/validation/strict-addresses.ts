import type { Wording } from "../errors/wording.ts";
import { goQuote } from "../go/go-quote.ts";
import { formatCidr, formatIp, type IpAddress, networkOf, parseCidr, parseIp } from "../ip.ts";
import { cidrMessages, ipMessages } from "./value-formats.ts";

/** Validates an IP address: no leading zeros and no IPv4-mapped IPv6 addresses. */
export function standardIpMessages(text: string): readonly Wording[] {
  const address = parseIp(text);
  if (address === undefined) return ipMessages(text);
  if (hasLeadingZeros(text)) return ["must not have leading 0s"];
  return isMapped(text, address) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** Validates an IP address by the rules for newer fields, which must have it in canonical form, too. */
export function strictIpMessages(text: string): readonly Wording[] {
  const messages = standardIpMessages(text);
  const address = parseIp(text);
  return messages.length > 0 || address === undefined ? messages : unlessCanonical(text, formatIp(address));
}

/** Validates a CIDR in the same way; no host bit may be set. */
export function standardCidrMessages(text: string): readonly string[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return cidrMessages(text);
  const slash = text.indexOf("/");
  const [before, after] = [text.slice(0, slash), text.slice(slash + 1)];
  if (hasLeadingZeros(before) || /^0\d/.test(after))
    return ["must not have leading 0s in IP or prefix length"];
  if (isMapped(before, cidr.address)) return ["must not have an IPv4-mapped IPv6 address"];
  const network = networkOf(cidr);
  if (formatCidr(network) !== formatCidr(cidr)) {
    return ["must not have bits set beyond the prefix length"];
  }
  return [];
}

/** Validates a CIDR by the rules for newer fields. */
export function strictCidrMessages(text: string): readonly string[] {
  const messages = standardCidrMessages(text);
  const cidr = parseCidr(text);
  return messages.length > 0 || cidr === undefined ? messages : unlessCanonical(text, formatCidr(cidr));
}

function unlessCanonical(text: string, canonical: string): readonly string[] {
  return text === canonical ? [] : [`must be in canonical form (${goQuote(canonical)})`];
}

/**
 * Whether a number of an IPv4 address has leading zeros, also at the end of an IPv6 address. Groups of IPv6 may have
 * some.
 */
function hasLeadingZeros(text: string): boolean {
  const [ipv4 = ""] = /[\d.]+$/.exec(text) ?? [];
  return ipv4.includes(".") && ipv4.split(".").some((part) => /^0\d/.test(part));
}

function isMapped(text: string, address: IpAddress): boolean {
  if (!text.includes(":")) return false;
  return address.length === 4 || parseIp(text)?.length === 4;
}
