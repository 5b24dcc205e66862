import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { formatCidr, formatIp, networkOf, parseCidr, parseIp } from "../../apimachinery/ip.ts";
import type { Since } from "../../apimachinery/release.ts";

const leadingZero = "IPv4 field has octet with leading zero";

/** Warnings about the notation of a valid IP address. Kinds other than Service have them since 1.33. */
export function ipWarnings(ip: string, field: string, since: Since): readonly string[] {
  if (since("1.33")) return suggestedIp(ip, field);
  const error = strictError(ip);
  if (error !== undefined) {
    return [
      `${field}: IP address was accepted, but will be invalid in a future Kubernetes release: ${error}`,
    ];
  }
  const canonical = canonicalIpv6(ip);
  return canonical === undefined || canonical === ip ? [] : [notCanonical(field, "address", ip, canonical)];
}

/** Warnings about the notation of a valid CIDR. Kinds other than Service have them since 1.33. */
export function cidrWarnings(cidr: string, field: string, since: Since): readonly string[] {
  if (since("1.33")) return suggestedCidr(cidr, field);
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

function suggestedIp(ip: string, field: string): readonly string[] {
  const address = parseIp(ip);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (strictError(ip) !== undefined || isMapped(ip)) return [notStandard(field, "IP address", ip, canonical)];
  return canonical === ip ? [] : [notRfc5952(field, "address", ip, canonical)];
}

function suggestedCidr(text: string, field: string): readonly string[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  const network = formatCidr(networkOf(cidr));
  const address = text.slice(0, text.lastIndexOf("/"));
  const warnings: string[] = [];
  if (network !== formatCidr(cidr)) {
    const single = `${formatIp(cidr.address)}/${8 * cidr.address.length}`;
    const choices = `should be ${goQuote(network)} or ${goQuote(single)}?`;
    warnings.push(`${field}: CIDR value ${goQuote(text)} is ambiguous in this context (${choices})`);
  }
  if (strictPrefixError(text) !== undefined || isMapped(address)) {
    warnings.push(notStandard(field, "CIDR value", text, network));
  }
  if (warnings.length > 0 || network === text) return warnings;
  return [notRfc5952(field, "CIDR value", text, network)];
}

function notStandard(field: string, what: string, text: string, better: string): string {
  const subject = `${field}: non-standard ${what} ${goQuote(text)}`;
  return `${subject} will be considered invalid in a future Kubernetes release: use ${goQuote(better)}`;
}

function notRfc5952(field: string, what: string, text: string, canonical: string): string {
  const subject = `${field}: IPv6 ${what} ${goQuote(text)}`;
  return `${subject} should be in RFC 5952 canonical format (${goQuote(canonical)})`;
}

/** Whether the text is an IPv4-mapped IPv6 address. */
function isMapped(ip: string): boolean {
  return ip.includes(":") && parseIp(ip)?.length === 4;
}

function strictError(ip: string): string | undefined {
  const [, ipv4 = ""] = /(?:^|:)([\d.]+)$/.exec(ip) ?? [];
  const hasLeadingZero = ipv4.includes(".") && ipv4.split(".").some((part) => /^0\d/.test(part));
  return hasLeadingZero ? `ParseAddr(${goQuote(ip)}): ${leadingZero}` : undefined;
}

/** Upstream trims spaces before the lenient parser only. */
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

/** The canonical form of an IPv6 address by RFC 5952; undefined for IPv4 and invalid addresses. */
function canonicalIpv6(ip: string): string | undefined {
  const address = ip.includes(":") ? parseIp(ip) : undefined;
  if (address === undefined) return undefined;
  return address.length === 4 ? `::ffff:${formatIp(address)}` : formatIp(address);
}

function notCanonical(field: string, what: string, text: string, canonical: string): string {
  const subject = `${field}: IPv6 ${what} ${goQuote(text)} is not in RFC 5952 canonical format`;
  return `${subject} (${goQuote(canonical)}), which may cause controller apply-loops`;
}
