/** An IP address of four or sixteen bytes. An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) has four. */
export type IpAddress = Uint8Array;

/** A network: an address and the length of its network prefix. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/** Parses an IP address; undefined if it is invalid. As in Kubernetes, the numbers of IPv4 may have leading zeros. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(":")) return parseIpv4(text);
  const bytes = parseIpv6(text);
  return bytes && isMappedIpv4(bytes) ? bytes.slice(12) : bytes;
}

/** Parses an address with a prefix length, such as `10.0.0.0/8`; undefined if it is invalid. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const length = text.slice(slash + 1);
  const address = text.includes(":") ? parseIpv6(text.slice(0, slash)) : parseIpv4(text.slice(0, slash));
  if (address === undefined || !/^[0-9]{1,3}$/.test(length)) return undefined;
  const prefixLength = Number(length);
  if (prefixLength > address.length * 8) return undefined;
  if (prefixLength >= 96 && isMappedIpv4(address)) {
    return { address: address.slice(12), prefixLength: prefixLength - 96 };
  }
  return { address, prefixLength };
}

/** Formats an address: dotted for IPv4, with the longest run of zeros compressed for IPv6 (RFC 5952). */
export function formatIp(address: IpAddress): string {
  if (address.length === 4) return address.join(".");
  const groups = Array.from(
    { length: 8 },
    (_, i) => ((address[2 * i] ?? 0) << 8) | (address[2 * i + 1] ?? 0),
  );
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** Formats a network: its address and its prefix length. */
export function formatCidr({ address, prefixLength }: Cidr): string {
  return `${formatIp(address)}/${prefixLength}`;
}

/** The network with all host bits cleared. */
export function networkOf({ address, prefixLength }: Cidr): Cidr {
  const network = address.map((byte, i) => {
    const bits = Math.min(8, Math.max(0, prefixLength - 8 * i));
    return byte & (0xff00 >> bits) & 0xff;
  });
  return { address: network, prefixLength };
}

/** Whether the network contains the address. */
export function cidrContains(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.address.length !== address.length) return false;
  for (let bit = 0; bit < cidr.prefixLength; bit += 8) {
    const missing = Math.max(0, bit + 8 - cidr.prefixLength);
    const mask = (0xff << missing) & 0xff;
    if ((((cidr.address[bit / 8] ?? 0) ^ (address[bit / 8] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (const [i, part] of parts.entries()) {
    const digits = part.replace(/^0+(?=[0-9])/, "");
    if (!/^[0-9]{1,3}$/.test(digits) || Number(digits) > 255) return undefined;
    bytes[i] = Number(digits);
  }
  return bytes;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [left, right] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (left === undefined) return undefined;
  const head = groupBytes(left, right === undefined);
  if (right === undefined) return head?.length === 16 ? Uint8Array.from(head) : undefined;
  const tail = groupBytes(right, true);
  // `::` stands for at least one group.
  if (head === undefined || tail === undefined || head.length + tail.length > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

/** The bytes of groups of four hexadecimal digits. The last two groups of an address may be written as IPv4. */
function groupBytes(groups: readonly string[], isEnd: boolean): number[] | undefined {
  const bytes: number[] = [];
  for (const [i, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const ipv4 = isEnd && i === groups.length - 1 ? parseIpv4(group) : undefined;
    if (ipv4 === undefined) return undefined;
    bytes.push(...ipv4);
  }
  return bytes;
}

function isMappedIpv4(bytes: Uint8Array): boolean {
  if (bytes.length !== 16 || bytes[10] !== 0xff || bytes[11] !== 0xff) return false;
  return bytes.subarray(0, 10).every((byte) => byte === 0);
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [i, group] of groups.entries()) {
    if (group !== 0) start = i + 1;
    else if (i + 1 - start > longest.length) longest = { start, length: i + 1 - start };
  }
  return longest;
}
