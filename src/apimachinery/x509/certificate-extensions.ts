import { contextual, derSequence, derValue, objectIdentifier } from "../der-writer.ts";
import { parseIp } from "../ip.ts";

/** The bits of the extension key usage, the first bit first. RFC 5280, section 4.2.1.3. */
export const keyUsageBits = {
  "digital signature": 0x80,
  "content commitment": 0x40,
  "key encipherment": 0x20,
  "data encipherment": 0x10,
  "key agreement": 0x08,
  "cert sign": 0x04,
  "crl sign": 0x02,
} as const;

/** The object identifiers of extended usages, with the names of CertificateSigningRequests. */
export const extendedUsages: ReadonlyMap<string, string> = new Map([
  ["any", "2.5.29.37.0"],
  ["server auth", "1.3.6.1.5.5.7.3.1"],
  ["client auth", "1.3.6.1.5.5.7.3.2"],
  ["code signing", "1.3.6.1.5.5.7.3.3"],
  ["email protection", "1.3.6.1.5.5.7.3.4"],
  ["ipsec end system", "1.3.6.1.5.5.7.3.5"],
  ["ipsec tunnel", "1.3.6.1.5.5.7.3.6"],
  ["ipsec user", "1.3.6.1.5.5.7.3.7"],
  ["timestamping", "1.3.6.1.5.5.7.3.8"],
  ["ocsp signing", "1.3.6.1.5.5.7.3.9"],
]);

export function basicConstraints(role: "authority" | "leaf"): Uint8Array {
  const isAuthority = role === "authority" ? [derValue("boolean", Uint8Array.of(0xff))] : [];
  return criticalExtension("2.5.29.19", derSequence(...isAuthority));
}

/** DER drops trailing zero bits of a named bit list; they count as unused. */
export function keyUsage(bits: number): Uint8Array {
  const unused = 31 - Math.clz32(bits & -bits);
  return criticalExtension("2.5.29.15", derValue("bitString", Uint8Array.of(unused, bits)));
}

/** Takes object identifiers. */
export function extendedKeyUsage(usages: readonly string[]): Uint8Array {
  return extension("2.5.29.37", derSequence(...usages.map(objectIdentifier)));
}

export function subjectKeyIdentifier(identifier: Uint8Array): Uint8Array {
  return extension("2.5.29.14", derValue("octetString", identifier));
}

export function authorityKeyIdentifier(identifier: Uint8Array): Uint8Array {
  return extension("2.5.29.35", derSequence(contextual(0, "primitive", identifier)));
}

/** The content of the extension is a SEQUENCE of general names. */
export function subjectAlternativeNames(names: Uint8Array): Uint8Array {
  return extension("2.5.29.17", names);
}

/** A SEQUENCE of general names from DNS names and IP addresses. */
export function generalNames(hosts: readonly string[]): Uint8Array {
  return derSequence(...[...new Set(hosts)].map(generalName));
}

function generalName(host: string): Uint8Array {
  if (parseIp(host) === undefined) return contextual(2, "primitive", new TextEncoder().encode(host));
  return contextual(7, "primitive", addressBytes(host));
}

function addressBytes(address: string): Uint8Array {
  if (!address.includes(":")) return Uint8Array.from(address.split("."), Number);
  // The URL parser normalizes an IPv6 address, even with an embedded IPv4 address, to its shortest groups.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Uint8Array.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function extension(id: string, value: Uint8Array): Uint8Array {
  return derSequence(objectIdentifier(id), derValue("octetString", value));
}

function criticalExtension(id: string, value: Uint8Array): Uint8Array {
  const critical = derValue("boolean", Uint8Array.of(0xff));
  return derSequence(objectIdentifier(id), critical, derValue("octetString", value));
}
