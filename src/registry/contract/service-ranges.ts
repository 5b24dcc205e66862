import { type Cidr, formatIp, type IpAddress, parseCidr } from "../../apimachinery/ip.ts";

/** The ports from `first` to `last`, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The ranges for cluster IPs and node ports of services. */
export interface ServiceRanges {
  /** One network, or one for each family. The first is the default family. */
  readonly clusterIps: readonly Cidr[];
  readonly nodePorts: PortRange;
}

/**
 * Parses `--service-cluster-ip-range`: a network, or one for each family, separated by a comma.
 * @throws {Error} for an invalid value
 */
export function parseClusterIpRange(text: string): readonly Cidr[] {
  const cidrs = text.split(",").map((part) => {
    const cidr = parseCidr(part.trim());
    if (cidr === undefined) throw new Error(`service cluster IP range: ${part} is not a network`);
    return { ...cidr, address: networkAddress(cidr) };
  });
  if (cidrs.length > 2 || (cidrs.length === 2 && cidrs[0]?.address.length === cidrs[1]?.address.length)) {
    throw new Error(`service cluster IP range: ${text} is more than one network of each IP family`);
  }
  return cidrs;
}

/**
 * Parses `--service-node-port-range`: `30000-32767`.
 * @throws {Error} for an invalid value
 */
export function parseNodePortRange(text: string): PortRange {
  const [, first = Number.NaN, last = Number.NaN] = (/^(\d+)-(\d+)$/.exec(text) ?? []).map(Number);
  if (first >= 1 && first <= last && last <= 65535) return { first, last };
  throw new Error(`service node port range: ${text} is not two ports with a dash between`);
}

export function formatPortRange({ first, last }: PortRange): string {
  return `${first}-${last}`;
}

export function formatCidr({ address, prefixLength }: Cidr): string {
  return `${formatIp(address)}/${prefixLength}`;
}

/** The address at an offset from another. */
export function addressAfter(address: IpAddress, offset: number): IpAddress {
  const sum = new Uint8Array(address.length);
  address.reduceRight((carry, byte, i) => {
    sum[i] = (carry + byte) % 256;
    return Math.floor((carry + byte) / 256);
  }, offset);
  return sum;
}

/** The offset of an address from another of its family. */
export function distance(from: IpAddress, to: IpAddress): number {
  return to.reduce((sum, byte, i) => sum * 256 + byte - (from[i] ?? 0), 0);
}

function networkAddress({ address, prefixLength }: Cidr): IpAddress {
  return address.map((byte, i) => {
    const bits = Math.min(8, Math.max(0, prefixLength - i * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}
