import { structAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import { type Cidr, formatCidr, formatIp, type IpAddress, parseIp } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { storageKey } from "../../../registry/contract/object-key.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import { addressAfter } from "../../../registry/contract/service-ranges.ts";
import type { StrategyContext } from "../../../registry/contract/strategy.ts";
import {
  familyNameOf,
  ipAddresses,
  serviceAddressFields,
} from "../../networking/ip-address/service-address.ts";
import {
  holdsServiceIp,
  isAllocatable,
  type ServiceNetwork,
  serviceNetworks,
  writtenVersion,
} from "../../networking/service-cidr/service-networks.ts";
import { freeNumber } from "./number-pool.ts";
import { type AddressAllocation, ipTaken, notInRangeOf, rangeIsFull } from "./service-allocation.ts";
import { clusterIpsOf, headless, type IpFamily, needsClusterIp, withPluralIps } from "./service-fields.ts";
import { reservedAddresses, type ServiceUse } from "./service-use.ts";

const mismatched = "the provided network does not match the current range";
const notReady = "allocator not ready";
/** The shortest prefix of an IPv6 network from which addresses are allocated. */
const shortestIpv6Prefix = 64;
/** How many addresses of a network are considered: as many as there are random numbers. */
const mostAddresses = 2 ** 32;

/**
 * The allocator of the gate MultiCIDRServiceAllocator: cluster IPs are IPAddress objects, from the networks of ServiceCIDRs. Upstream:
 * pkg/registry/core/service/ipallocator/cidrallocator.go and ipallocator.go. Where upstream chooses any of several networks, this is
 * the first one with a free address.
 */
export class AddressObjects {
  readonly #environment: StrategyEnvironment;
  readonly #use: ServiceUse;
  readonly #isOn: boolean;
  /** Since 1.31, the bitmap in etcd that older servers read is written too, and refuses what Services have. */
  readonly #isDualWrite: boolean;

  constructor(environment: StrategyEnvironment, use: ServiceUse) {
    const { gates } = environment;
    this.#environment = environment;
    this.#use = use;
    this.#isOn = gates.isEnabled("MultiCIDRServiceAllocator");
    this.#isDualWrite = gates.since("1.31") && !gates.isEnabled("DisableAllocatorDualWrite");
  }

  /** Whether the server allocates in this way: the gate is on, and it serves both kinds. */
  get isUsed(): boolean {
    return this.#isOn && this.#environment.served.current.storedResource(ipAddresses) !== undefined;
  }

  /** Allocates the network address, without any object. */
  dryRun(): AddressAllocation {
    return {
      takeIp: (family, ip) => {
        const address = parseIp(ip);
        const networks = this.#readyNetworks(family);
        const [first] = networks;
        if (first === undefined) return notReady;
        if (address !== undefined && networks.some(({ cidr }) => holdsServiceIp(cidr, address)))
          return undefined;
        return notInRangeOf(formatCidr(first.cidr), address === undefined ? ip : formatIp(address));
      },
      nextIp: (family) => {
        const [network] = this.#readyNetworks(family);
        return network === undefined ? { refusal: notReady } : { ip: formatIp(network.cidr.address) };
      },
      end: () => {},
    };
  }

  /** Each allocated address is an object at once. What the stored Service does not have at the end of the write is deleted. */
  begin(service: KubeObject, old: KubeObject | undefined, { now }: StrategyContext): AddressAllocation {
    const concerned = new Set(old === undefined ? [] : allocatedIps(old));
    const allocate = (ip: string) => {
      concerned.add(ip);
      this.#create(ip, service, now);
    };
    return {
      takeIp: (family, ip) => {
        const address = parseIp(ip);
        const networks = this.#readyNetworks(family);
        if (address === undefined || !networks.some(({ cidr }) => holdsServiceIp(cidr, address)))
          return mismatched;
        const name = formatIp(address);
        if (this.#isTaken(name, address)) return ipTaken;
        allocate(name);
        return undefined;
      },
      nextIp: (family) => {
        const ip = this.#freeIp(family);
        if (ip === undefined) return { refusal: rangeIsFull };
        allocate(ip);
        return { ip };
      },
      end: () => {
        if (concerned.size > 0) this.#release(service, concerned);
      },
    };
  }

  /** The storage keys of the addresses of a Service, which are deleted with it. */
  keysOf(service: KubeObject): readonly string[] {
    if (!this.isUsed) return [];
    return allocatedIps(service)
      .filter((ip) => this.#isInNetwork(ip))
      .map((ip) => this.#keyOf(ip));
  }

  #keyOf(ip: string): string {
    return this.#environment.keyOf(ipAddresses, "", ip) ?? "";
  }

  #readyNetworks(family: IpFamily): readonly ServiceNetwork[] {
    return serviceNetworks(this.#environment.lister).filter(
      (network) => isOf(network, family) && isAllocatable(network.serviceCidr),
    );
  }

  #freeIp(family: IpFamily): string | undefined {
    const isTaken = (ip: string, address: IpAddress) => this.#isTaken(ip, address);
    const { number } = this.#environment.identifiers;
    for (const { cidr } of this.#readyNetworks(family)) {
      const ip = freeAddress(cidr, number, isTaken);
      if (ip !== undefined) return ip;
    }
    return undefined;
  }

  #isTaken(ip: string, address: IpAddress): boolean {
    if (this.#environment.store.get(this.#keyOf(ip)) !== undefined) return true;
    return this.#isDualWrite && this.#use.hasAddress(address);
  }

  #isInNetwork(ip: string): boolean {
    const address = parseIp(ip);
    const networks = serviceNetworks(this.#environment.lister);
    return address !== undefined && networks.some(({ cidr }) => holdsServiceIp(cidr, address));
  }

  /** Deletes those of the addresses that the stored Service does not have. */
  #release({ metadata }: KubeObject, ips: ReadonlySet<string>): void {
    const { store, space } = this.#environment;
    const { namespace = "", name = "" } = metadata;
    const stored = store.get(storageKey(space, { namespace, name }));
    const kept = new Set(stored && allocatedIps(stored.value));
    for (const ip of ips) {
      if (kept.has(ip) || !this.#isInNetwork(ip)) continue;
      // The memory store commits before the call returns.
      void store.guaranteedUpdate(this.#keyOf(ip), () => ({ type: "delete" }));
    }
  }

  /** Stores what the client of the server would create. */
  #create(ip: string, { metadata: service }: KubeObject, now: number): void {
    const { served, identifiers, store } = this.#environment;
    const { labels, spec } = serviceAddressFields(ip, service);
    const view = served.current;
    const creationTimestamp = formatTime(now);
    const apiVersion = view.derived(writtenVersion) ?? "";
    const entry = { manager: "kube-apiserver", operation: "Update", apiVersion };
    const metadata = {
      name: ip,
      uid: identifiers.uid(),
      resourceVersion: "0",
      generation: 1,
      creationTimestamp,
      labels,
      managedFields: [{ ...entry, time: creationTimestamp, fieldsType: "FieldsV1", fieldsV1 }],
    };
    const stored = view.storedResource(ipAddresses);
    const storedVersion = stored === undefined ? apiVersion : formatGroupVersion(stored);
    const value: KubeObject = { kind: "IPAddress", apiVersion: storedVersion, metadata, spec };
    void store.guaranteedUpdate(this.#keyOf(ip), () => ({ type: "put", value }));
  }
}

/** What upstream's client owns in the objects that it creates. */
const fieldsV1 = {
  "f:metadata": {
    "f:labels": {
      ".": {},
      "f:ipaddress.kubernetes.io/ip-family": {},
      "f:ipaddress.kubernetes.io/managed-by": {},
    },
  },
  "f:spec": { "f:parentRef": { ".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {} } },
};

/** The addresses of a Service in canonical form: the names of its IPAddresses. */
function allocatedIps(service: KubeObject): readonly string[] {
  const spec = withPluralIps(structAt(service, "spec"));
  if (!needsClusterIp(spec)) return [];
  return clusterIpsOf(spec).flatMap((ip) => {
    const address = ip === headless ? undefined : parseIp(ip);
    return address === undefined ? [] : [formatIp(address)];
  });
}

function isOf({ cidr }: ServiceNetwork, family: IpFamily): boolean {
  const { address, prefixLength } = cidr;
  return (
    familyNameOf(formatIp(address)) === family && (family === "IPv4" || prefixLength >= shortestIpv6Prefix)
  );
}

function freeAddress(
  { address, prefixLength }: Cidr,
  random: (bound: number) => number,
  isTaken: (ip: string, address: IpAddress) => boolean,
): string | undefined {
  const bits = address.length * 8 - prefixLength;
  const count = 2 ** bits;
  const usable = Math.max(0, address.length === 4 ? count - 2 : count - 1);
  const at = (number: number) => addressAfter(address, number + 1);
  const number = freeNumber(Math.min(usable, mostAddresses), reservedAddresses(count), random, (candidate) =>
    isTaken(formatIp(at(candidate)), at(candidate)),
  );
  return number === undefined ? undefined : formatIp(at(number));
}
