import type { Wording } from "../errors/wording.ts";
import { goQuote } from "../go/go-quote.ts";
import { formatCidr, formatIp, type IpAddress, networkOf, parseCidr, parseIp } from "../ip.ts";
import { cidrMessages, ipMessages } from "./value-formats.ts";

/** Validates an IP address by the rules for newer fields: no leading zeros and no IPv4-mapped IPv6 addresses. */
export function strictIpMessages(text: string): readonly Wording[] {
  const address = parseIp(text);
  if (address === undefined) return ipMessages(text);
  if (hasLeadingZeros(text)) return ["must not have leading 0s"];
  if (isMapped(text, address)) return ["must not be an IPv4-mapped IPv6 address"];
  return unlessCanonical(text, formatIp(address));
}

/** Validates a CIDR by the same rules; no host bit may be set. */
export function strictCidrMessages(text: string): readonly string[] {
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
  return unlessCanonical(text, formatCidr(network));
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
