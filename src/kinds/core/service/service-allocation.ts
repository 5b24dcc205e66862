import { formatIp, parseIp } from "../../../apimachinery/ip.ts";
import { addressAfter, formatCidr, formatPortRange } from "../../../registry/contract/service-ranges.ts";
import type { IpFamily } from "./service-fields.ts";
import type { AddressPool, ServiceUse } from "./service-use.ts";

/** The allocations of one write. Functions that return a text return the reason why a value cannot be allocated. */
export interface ServiceAllocation {
  /** The IP families of the cluster, the default one first. */
  readonly families: readonly IpFamily[];
  readonly takeIp: (family: IpFamily, ip: string) => string | undefined;
  /** Allocates any address; undefined if none is free. */
  readonly nextIp: (family: IpFamily) => string | undefined;
  readonly takePort: (port: number) => string | undefined;
  /** Allocates any port; undefined if none is free. */
  readonly nextPort: () => number | undefined;
  /** Ends the write, successful or not. From then on the store determines what is allocated. */
  readonly end: () => void;
}

const taken = "provided IP is already allocated";
const portTaken = "provided port is already allocated";
export const rangeIsFull = "range is full";

/** Allocates from the pools and holds the values, so that concurrent writes cannot allocate them. */
export function heldAllocation(use: ServiceUse, random: (bound: number) => number): ServiceAllocation {
  use.follow();
  const releases: (() => void)[] = [];
  const { first, last } = use.ranges.nodePorts;
  return {
    families: use.addresses.map(familyOfPool),
    takeIp: (family, ip) => {
      const pool = poolOf(use, family);
      const number = numberIn(use, pool, ip);
      if (pool === undefined || number === undefined) return notInRange(pool, ip);
      if (pool.numbers.has(number)) return taken;
      releases.push(use.hold(pool.numbers, number));
      return undefined;
    },
    nextIp: (family) => {
      const pool = poolOf(use, family);
      const number = pool?.numbers.free(random);
      if (pool === undefined || number === undefined) return undefined;
      releases.push(use.hold(pool.numbers, number));
      return formatIp(addressAfter(pool.cidr.address, number + 1));
    },
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
      for (const release of releases.splice(0)) release();
    },
  };
}

/** The first port that upstream uses in dry runs; it is above the usual node port range. */
const firstDryRunPort = 32_768;
const lastTriedPort = 100;

/** Allocates made-up values for a dry run, as upstream does, without a change to the pools. */
export function dryRunAllocation(use: ServiceUse): ServiceAllocation {
  use.follow();
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
    families: use.addresses.map(familyOfPool),
    takeIp: (family, ip) => {
      const pool = poolOf(use, family);
      return numberIn(use, pool, ip) === undefined ? notInRange(pool, ip) : undefined;
    },
    nextIp: (family) => {
      const pool = poolOf(use, family);
      return pool && formatIp(pool.cidr.address);
    },
    takePort,
    nextPort: () => {
      for (let port = highest + 1; port < lastTriedPort; port += 1) {
        if (takePort(port) === undefined) return port;
      }
      highest += 1;
      ports.add(highest);
      return highest;
    },
    end: () => {},
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
  const shown = address === undefined ? ip : formatIp(address);
  return `the provided IP (${shown}) is not in the valid range. The range of valid IPs is ${range}`;
}
