import { structAt } from "../../../apimachinery/fields.ts";
import { type Cidr, formatCidr, formatIp, type IpAddress, parseIp } from "../../../apimachinery/ip.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { storageKey } from "../../../registry/contract/object-key.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import { addressAfter } from "../../../registry/contract/service-ranges.ts";
import type { StrategyContext } from "../../../registry/contract/strategy.ts";
import { familyNameOf, ipAddresses, serviceAddressFields } from "../../networking/ip-address/service-address.ts";
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

/** The allocation of cluster IPs as IPAddress objects from the networks of ServiceCIDRs. */
export interface AddressObjects {
  /** Whether the server allocates in this way: the gate is on, and it serves both kinds. */
  readonly isUsed: () => boolean;
  readonly dryRun: () => AddressAllocation;
  /** Each allocated address is an object at once. What the stored Service does not have at the end of the write is deleted. */
  readonly begin: (
    service: KubeObject,
    old: KubeObject | undefined,
    context: StrategyContext,
  ) => AddressAllocation;
  /** The storage keys of the addresses of a Service, which are deleted with it. */
  readonly keysOf: (service: KubeObject) => readonly string[];
}

const mismatched = "the provided network does not match the current range";
const notReady = "allocator not ready";
/** The shortest prefix of an IPv6 network from which addresses are allocated. */
const shortestIpv6Prefix = 64;
/** How many addresses of a network are considered: as many as there are random numbers. */
const mostAddresses = 2 ** 32;

/**
 * The allocator of the gate MultiCIDRServiceAllocator. Upstream: pkg/registry/core/service/ipallocator/cidrallocator.go and
 * ipallocator.go. Where upstream chooses any of several networks, this is the first one with a free address.
 */
export function addressObjects(environment: StrategyEnvironment, use: ServiceUse): AddressObjects {
  const { gates, keyOf, lister, served, store, identifiers, space } = environment;
  const isOn = gates.isEnabled("MultiCIDRServiceAllocator");
  // Since 1.31, the bitmap in etcd that older servers read is written too, and refuses what Services have.
  const isDualWrite = gates.since("1.31") && !gates.isEnabled("DisableAllocatorDualWrite");
  const isUsed = () => isOn && served.current.storedResource(ipAddresses) !== undefined;
  const keyOfIp = (ip: string) => keyOf(ipAddresses, "", ip) ?? "";
  const isTaken = (ip: string, address: IpAddress) =>
    store.get(keyOfIp(ip)) !== undefined || (isDualWrite && use.hasAddress(address));
  const networksOf = (family: IpFamily) => serviceNetworks(lister).filter((network) => isOf(network, family));
  const readyNetworks = (family: IpFamily) =>
    networksOf(family).filter(({ serviceCidr }) => isAllocatable(serviceCidr));
  const isReleased = (ip: string) => {
    const address = parseIp(ip);
    return address !== undefined && serviceNetworks(lister).some(({ cidr }) => holdsServiceIp(cidr, address));
  };
  const remove = (ip: string) => void store.guaranteedUpdate(keyOfIp(ip), () => ({ type: "delete" }));

  /** What the client of the server would create. */
  const create = (ip: string, { metadata }: KubeObject, now: number) => {
    const { labels, spec } = serviceAddressFields(ip, metadata);
    const view = served.current;
    const creationTimestamp = formatTime(now);
    const apiVersion = view.derived(writtenVersion) ?? "";
    const entry = { manager: "kube-apiserver", operation: "Update", apiVersion };
    const managedFields = [{ ...entry, time: creationTimestamp, fieldsType: "FieldsV1", fieldsV1 }];
    const uid = identifiers.uid();
    const value: KubeObject = {
      kind: "IPAddress",
      apiVersion: storedVersionOf(view.storedResource(ipAddresses)),
      metadata: {
        name: ip,
        uid,
        resourceVersion: "0",
        generation: 1,
        creationTimestamp,
        labels,
        managedFields,
      },
      spec,
    };
    void store.guaranteedUpdate(keyOfIp(ip), () => ({ type: "put", value }));
  };

  return {
    isUsed,
    dryRun: () => ({
      takeIp: (family, ip) => {
        const address = parseIp(ip);
        const networks = readyNetworks(family);
        const [{ cidr } = { cidr: undefined }] = networks;
        if (cidr === undefined) return notReady;
        if (address !== undefined && networks.some((one) => holdsServiceIp(one.cidr, address))) return undefined;
        return notInRangeOf(formatCidr(cidr), address === undefined ? ip : formatIp(address));
      },
      nextIp: (family) => {
        const [network] = readyNetworks(family);
        return network === undefined ? { refusal: notReady } : { ip: formatIp(network.cidr.address) };
      },
      end: () => {},
    }),
    begin: (service, old, { now }) => {
      const concerned = new Set(old === undefined ? [] : allocatedIps(old));
      const allocate = (ip: string) => {
        concerned.add(ip);
        create(ip, service, now);
      };
      return {
        takeIp: (family, ip) => {
          const address = parseIp(ip);
          if (address === undefined || !readyNetworks(family).some(({ cidr }) => holdsServiceIp(cidr, address)))
            return mismatched;
          const name = formatIp(address);
          if (isTaken(name, address)) return ipTaken;
          allocate(name);
          return undefined;
        },
        nextIp: (family) => {
          for (const { cidr } of readyNetworks(family)) {
            const ip = freeAddress(cidr, identifiers.number, isTaken);
            if (ip === undefined) continue;
            allocate(ip);
            return { ip };
          }
          return { refusal: rangeIsFull };
        },
        end: () => {
          if (concerned.size === 0) return;
          const { namespace = "", name = "" } = service.metadata;
          const stored = store.get(storageKey(space, { namespace, name }));
          const kept = new Set(stored && allocatedIps(stored.value));
          for (const ip of concerned) if (!kept.has(ip) && isReleased(ip)) remove(ip);
        },
      };
    },
    keysOf: (service) => (isUsed() ? allocatedIps(service).filter(isReleased).map(keyOfIp) : []),
  };
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

function storedVersionOf(stored: { readonly group: string; readonly version: string } | undefined): string {
  return `${stored?.group}/${stored?.version}`;
}

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
  return familyNameOf(formatIp(address)) === family && (family === "IPv4" || prefixLength >= shortestIpv6Prefix);
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
  const number = freeNumber(
    Math.min(usable, mostAddresses),
    reservedAddresses(count),
    random,
    (candidate) => isTaken(formatIp(at(candidate)), at(candidate)),
  );
  return number === undefined ? undefined : formatIp(at(number));
}
