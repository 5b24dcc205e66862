import { goQuote } from "../go/go-quote.ts";
import { formatCidr, formatIp, type IpAddress, networkOf, parseCidr, parseIp } from "../ip.ts";
import { cidrMessages, ipMessages } from "./value-formats.ts";

/** What is wrong with an IP address by the rules for fields of today, which leave one way to write each. */
export function strictIpMessages(text: string): readonly string[] {
  const address = parseIp(text);
  if (address === undefined) return ipMessages(text);
  if (hasLeadingZeros(text)) return ["must not have leading 0s"];
  if (isMapped(text, address)) return ["must not be an IPv4-mapped IPv6 address"];
  return unlessCanonical(text, formatIp(address));
}

/** What is wrong with a network by the same rules: no bit may be set where hosts have theirs. */
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

/** Of IPv4, also where it ends an IPv6 address. Groups of IPv6 may begin with zeros, if it is not the canonical way. */
function hasLeadingZeros(text: string): boolean {
  const [ipv4 = ""] = /[\d.]+$/.exec(text) ?? [];
  return ipv4.includes(".") && ipv4.split(".").some((part) => /^0\d/.test(part));
}

function isMapped(text: string, address: IpAddress): boolean {
  if (!text.includes(":")) return false;
  return address.length === 4 || parseIp(text)?.length === 4;
}
