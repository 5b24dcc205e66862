import { goQuote } from "../../apimachinery/go-quote.ts";
import { formatIp, parseIp } from "../../apimachinery/ip.ts";

const leadingZero = "IPv4 field has octet with leading zero";

/** What Go's stricter parser has against an address that was accepted, or that it is not written as RFC 5952 asks. */
export function ipWarnings(ip: string, field: string): readonly string[] {
  const error = strictError(ip);
  if (error !== undefined) {
    return [
      `${field}: IP address was accepted, but will be invalid in a future Kubernetes release: ${error}`,
    ];
  }
  const canonical = canonicalIpv6(ip);
  return canonical === undefined || canonical === ip ? [] : [notCanonical(field, "address", ip, canonical)];
}

/** The same for a network. */
export function cidrWarnings(cidr: string, field: string): readonly string[] {
  const error = strictPrefixError(cidr);
  if (error !== undefined) {
    const text = `netip.ParsePrefix(${goQuote(cidr)}): ${error}`;
    return [`${field}: IP prefix was accepted, but will be invalid in a future Kubernetes release: ${text}`];
  }
  const slash = cidr.lastIndexOf("/");
  const address = canonicalIpv6(cidr.slice(0, slash));
  const canonical = address && `${address}${cidr.slice(slash)}`;
  return canonical === undefined || canonical === cidr
    ? []
    : [notCanonical(field, "prefix", cidr, canonical)];
}

function strictError(ip: string): string | undefined {
  const [, ipv4 = ""] = /(?:^|:)([\d.]+)$/.exec(ip) ?? [];
  const hasLeadingZero = ipv4.includes(".") && ipv4.split(".").some((part) => /^0\d/.test(part));
  return hasLeadingZero ? `ParseAddr(${goQuote(ip)}): ${leadingZero}` : undefined;
}

/** Networks may stand between spaces, which the stricter parser does not take either. */
function strictPrefixError(cidr: string): string | undefined {
  const slash = cidr.lastIndexOf("/");
  const address = cidr.slice(0, slash);
  const bits = cidr.slice(slash + 1);
  if (address !== address.trimStart()) {
    return `ParseAddr(${goQuote(address)}): unexpected character (at ${goQuote(address)})`;
  }
  const error = strictError(address);
  if (error !== undefined) return error;
  return /^(0|[1-9]\d*)$/.test(bits) ? undefined : `bad bits after slash: ${goQuote(bits)}`;
}

/** The address as RFC 5952 writes it; undefined for IPv4, and for what is no address. */
function canonicalIpv6(ip: string): string | undefined {
  const address = ip.includes(":") ? parseIp(ip) : undefined;
  if (address === undefined) return undefined;
  return address.length === 4 ? `::ffff:${formatIp(address)}` : formatIp(address);
}

function notCanonical(field: string, what: string, text: string, canonical: string): string {
  const subject = `${field}: IPv6 ${what} ${goQuote(text)} is not in RFC 5952 canonical format`;
  return `${subject} (${goQuote(canonical)}), which may cause controller apply-loops`;
}
