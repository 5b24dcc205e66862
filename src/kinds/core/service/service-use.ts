import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { Cidr } from "../../../apimachinery/ip.ts";
import { cidrContains, type IpAddress, parseIp } from "../../../apimachinery/ip.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { distance, type ServiceRanges } from "../../../registry/contract/service-ranges.ts";
import type { Store } from "../../../store/store.ts";
import type { WatchFeed } from "../../../store/watch-feed.ts";
import { NumberPool } from "./number-pool.ts";
import {
  clusterIpsOf,
  headless,
  needsClusterIp,
  needsNodePorts,
  nodePortsOf,
  withPluralIps,
} from "./service-fields.ts";

/** The addresses of one network, numbered from 0. The network address itself is not included. */
export interface AddressPool {
  readonly cidr: Cidr;
  readonly size: number;
  readonly numbers: NumberPool;
}

/** The maximum number of addresses that are allocated in an IPv6 network. */
const maxIpv6Addresses = 65_535;

/**
 * The allocated cluster IPs and node ports: those of stored services and those that ongoing writes hold. It follows
 * the writes of the store, and reads the store again after a snapshot is restored.
 */
export class ServiceUse {
  readonly addresses: readonly AddressPool[];
  readonly ports: NumberPool;
  readonly ranges: ServiceRanges;
  readonly #store: Store<KubeObject>;
  readonly #prefix: string;
  readonly #held = new Set<() => void>();
  #feed: WatchFeed<KubeObject> | undefined;

  /** `prefix` is the key prefix of services in the store. */
  constructor(store: Store<KubeObject>, prefix: string, ranges: ServiceRanges) {
    this.#store = store;
    this.#prefix = prefix;
    this.ranges = ranges;
    this.addresses = ranges.clusterIps.map(addressPool);
    const { first, last } = ranges.nodePorts;
    this.ports = new NumberPool(last - first + 1, reservedPorts(last - first + 1));
  }

  /** Processes the writes since the last call. */
  follow(): void {
    if (this.#feed === undefined || this.#feed.ended) {
      this.#readAll();
      return;
    }
    for (const { type, value, previous } of this.#feed.drain()) {
      if (previous !== undefined) this.#each(previous.value, release);
      if (type === "put") this.#each(value.value, take);
    }
  }

  /** Holds a number until the returned function is called. */
  hold(pool: NumberPool, number: number): () => void {
    const retake = () => pool.take(number);
    retake();
    this.#held.add(retake);
    return () => {
      if (this.#held.delete(retake)) pool.release(number);
    };
  }

  /** The number of an address, or undefined if it is outside the network. */
  numberOf({ cidr, size }: AddressPool, address: IpAddress): number | undefined {
    if (!cidrContains(cidr, address)) return undefined;
    const number = distance(cidr.address, address) - 1;
    return number >= 0 && number < size ? number : undefined;
  }

  /** Whether a Service has the address, or an ongoing write holds it. */
  hasAddress(address: IpAddress): boolean {
    return this.addresses.some((pool) => {
      const number = this.numberOf(pool, address);
      return number !== undefined && pool.numbers.has(number);
    });
  }

  #readAll(): void {
    const services = this.#store.range({ prefix: this.#prefix }).items;
    const feed = this.#store.watch({ prefix: this.#prefix, from: this.#store.revision });
    // No step below can fail, so the pools cannot be left half filled.
    this.ports.clear();
    for (const { numbers } of this.addresses) numbers.clear();
    for (const retake of this.#held) retake();
    for (const { value } of services) this.#each(value, take);
    this.#feed = feed;
  }

  #each(service: KubeObject, change: (pool: NumberPool, number: number) => void): void {
    const spec = withPluralIps(structAt(service, "spec"));
    for (const ip of needsClusterIp(spec) ? clusterIpsOf(spec) : []) this.#eachAddress(ip, change);
    const { first, last } = this.ranges.nodePorts;
    for (const port of allPortsOf(spec)) {
      if (port >= first && port <= last) change(this.ports, port - first);
    }
  }

  #eachAddress(ip: string, change: (pool: NumberPool, number: number) => void): void {
    const address = ip === headless ? undefined : parseIp(ip);
    if (address === undefined) return;
    for (const pool of this.addresses) {
      const number = this.numberOf(pool, address);
      if (number !== undefined) change(pool.numbers, number);
    }
  }
}

/** Services of other types do not allocate the node ports in their spec. */
function allPortsOf(spec: JsonObject): readonly number[] {
  if (!needsNodePorts(spec)) return [];
  return [...nodePortsOf(spec), numberAt(spec, "healthCheckNodePort")];
}

function take(pool: NumberPool, number: number): void {
  pool.take(number);
}

function release(pool: NumberPool, number: number): void {
  pool.release(number);
}

/** The network address is never allocated, and in IPv4 neither is the broadcast address. */
function addressPool(cidr: Cidr): AddressPool {
  const bits = cidr.address.length * 8 - cidr.prefixLength;
  const count = 2 ** bits;
  const size = Math.max(0, cidr.address.length === 4 ? count - 2 : Math.min(count - 1, maxIpv6Addresses));
  return { cidr, size, numbers: new NumberPool(size, reservedAddresses(count)) };
}

/** How many addresses of a network of `count` are reserved for services that name their address. */
export function reservedAddresses(count: number): number {
  if (count <= 16) return 0;
  return Math.min(Math.max(16, Math.floor(count / 16)), 256);
}

/** How many ports are reserved for services that name their port. */
function reservedPorts(count: number): number {
  if (count < 16) return 0;
  return Math.min(Math.max(16, Math.floor(count / 32)), 128);
}
