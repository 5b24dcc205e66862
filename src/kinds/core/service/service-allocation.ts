import { formatIp, parseIp } from "../../../apimachinery/ip.ts";
import { addressAfter, formatCidr, formatPortRange } from "../../../registry/contract/service-ranges.ts";
import type { IpFamily } from "./service-fields.ts";
import type { AddressPool, ServiceUse } from "./service-use.ts";

/**
 * The cluster IPs that one write allocates. Functions that return a text return the reason why an address cannot be
 * allocated.
 */
export interface AddressAllocation {
  readonly takeIp: (family: IpFamily, ip: string) => string | undefined;
  /** Allocates any address. */
  readonly nextIp: (family: IpFamily) => { readonly ip: string } | { readonly refusal: string };
  /** Ends the write, successful or not. From then on the store determines what is allocated. */
  readonly end: () => void;
}

/** The allocations of one write. */
export interface ServiceAllocation extends AddressAllocation {
  /** The IP families of the cluster, the default one first. */
  readonly families: readonly IpFamily[];
  /** Returns the reason why a port cannot be allocated. */
  readonly takePort: (port: number) => string | undefined;
  /** Allocates any port; undefined if none is free. */
  readonly nextPort: () => number | undefined;
}

export const ipTaken = "provided IP is already allocated";
const portTaken = "provided port is already allocated";
export const rangeIsFull = "range is full";

/** Allocates cluster IPs from the configured ranges and holds them, so that concurrent writes cannot allocate them. */
export function heldAddresses(use: ServiceUse, random: (bound: number) => number): AddressAllocation {
  const releases: (() => void)[] = [];
  return {
    takeIp: (family, ip) => {
      const pool = poolOf(use, family);
      const number = numberIn(use, pool, ip);
      if (pool === undefined || number === undefined) return notInRange(pool, ip);
      if (pool.numbers.has(number)) return ipTaken;
      releases.push(use.hold(pool.numbers, number));
      return undefined;
    },
    nextIp: (family) => {
      const pool = poolOf(use, family);
      const number = pool?.numbers.free(random);
      if (pool === undefined || number === undefined) return { refusal: rangeIsFull };
      releases.push(use.hold(pool.numbers, number));
      return { ip: formatIp(addressAfter(pool.cidr.address, number + 1)) };
    },
    end: () => {
      for (const release of releases.splice(0)) release();
    },
  };
}

/** Allocates node ports from the pool and holds them, and cluster IPs as `addresses` does. */
export function heldAllocation(
  use: ServiceUse,
  random: (bound: number) => number,
  addresses: AddressAllocation,
): ServiceAllocation {
  const releases: (() => void)[] = [];
  const { first, last } = use.ranges.nodePorts;
  return {
    ...addresses,
    families: use.addresses.map(familyOfPool),
    takePort: (port) => {
      if (port < first || port > last) {
        const range = formatPortRange(use.ranges.nodePorts);
        return `provided port is not in the valid range. The range of valid ports is ${range}`;
      }
      if (use.ports.has(port - first)) return portTaken;
      releases.push(use.hold(use.ports, port - first));
      return undefined;
    },
    nextPort: () => {
      const number = use.ports.free(random);
      if (number === undefined) return undefined;
      releases.push(use.hold(use.ports, number));
      return first + number;
    },
    end: () => {
      addresses.end();
      for (const release of releases.splice(0)) release();
    },
  };
}

/** The first port that upstream uses in dry runs; it is above the usual node port range. */
const firstDryRunPort = 32_768;
const lastTriedPort = 100;

/** Allocates the network address for a dry run, as upstream does, without a change to the pools. */
export function dryRunAddresses(use: ServiceUse): AddressAllocation {
  return {
    takeIp: (family, ip) => {
      const pool = poolOf(use, family);
      return numberIn(use, pool, ip) === undefined ? notInRange(pool, ip) : undefined;
    },
    nextIp: (family) => {
      const pool = poolOf(use, family);
      return pool === undefined ? { refusal: rangeIsFull } : { ip: formatIp(pool.cidr.address) };
    },
    end: () => {},
  };
}

/** Allocates made-up node ports for a dry run, and cluster IPs as `addresses` does. */
export function dryRunAllocation(use: ServiceUse, addresses: AddressAllocation): ServiceAllocation {
  const ports = new Set<number>();
  let highest = firstDryRunPort;
  const { first } = use.ranges.nodePorts;
  const takePort = (port: number): string | undefined => {
    if (use.ports.has(port - first) || ports.has(port)) return portTaken;
    highest = ports.size === 0 ? port : Math.max(highest, port);
    ports.add(port);
    return undefined;
  };
  return {
    ...addresses,
    families: use.addresses.map(familyOfPool),
    takePort,
    nextPort: () => {
      for (let port = highest + 1; port < lastTriedPort; port += 1) {
        if (takePort(port) === undefined) return port;
      }
      highest += 1;
      ports.add(highest);
      return highest;
    },
  };
}

function familyOfPool({ cidr }: AddressPool): IpFamily {
  return cidr.address.length === 4 ? "IPv4" : "IPv6";
}

function poolOf(use: ServiceUse, family: IpFamily): AddressPool | undefined {
  return use.addresses.find((pool) => familyOfPool(pool) === family);
}

function numberIn(use: ServiceUse, pool: AddressPool | undefined, ip: string): number | undefined {
  const address = parseIp(ip);
  return pool && address && use.numberOf(pool, address);
}

function notInRange(pool: AddressPool | undefined, ip: string): string {
  const address = parseIp(ip);
  const range = pool === undefined ? "" : formatCidr(pool.cidr);
  return notInRangeOf(range, address === undefined ? ip : formatIp(address));
}

/** The reason why an address outside a range cannot be allocated. */
export function notInRangeOf(range: string, shown: string): string {
  return `the provided IP (${shown}) is not in the valid range. The range of valid IPs is ${range}`;
}
