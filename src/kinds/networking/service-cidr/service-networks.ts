import { listAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import {
  type Cidr,
  cidrContains,
  formatIp,
  type IpAddress,
  networkOf,
  parseCidr,
} from "../../../apimachinery/ip.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ApiView } from "../../../served/api-view.ts";

export const serviceCidrs = { group: "networking.k8s.io", resource: "servicecidrs" };

/** A network of a ServiceCIDR. */
export interface ServiceNetwork {
  readonly cidr: Cidr;
  readonly serviceCidr: KubeObject;
}

/** The networks of all ServiceCIDRs, in the order of their names. */
export function serviceNetworks(lister: Lister): readonly ServiceNetwork[] {
  return lister
    .list(serviceCidrs, "")
    .flatMap((serviceCidr) => networksOf(serviceCidr).map((cidr) => ({ cidr, serviceCidr })));
}

/** The networks of a ServiceCIDR. */
export function networksOf(serviceCidr: KubeObject): readonly Cidr[] {
  return textsAt(serviceCidr, "spec", "cidrs").flatMap((text) => parseCidr(text) ?? []);
}

/**
 * Whether addresses may be allocated from a ServiceCIDR. Without a condition, it counts as ready, for clusters without
 * controllers. Upstream: pkg/registry/core/service/ipallocator/cidrallocator.go, isReady and syncAllocators.
 */
export function isAllocatable(serviceCidr: KubeObject): boolean {
  if (serviceCidr.metadata.deletionTimestamp) return false;
  const ready = listAt(serviceCidr, "status", "conditions").find(({ type }) => type === "Ready");
  return ready === undefined || textAt(ready, "status") === "True";
}

/**
 * Whether a Service can have this address of the network: it is neither the network address nor, in IPv4, the broadcast address.
 * Upstream: pkg/api/servicecidr/servicecidr.go, PrefixContainsIP.
 */
export function holdsServiceIp(cidr: Cidr, address: IpAddress): boolean {
  if (!cidrContains(cidr, address)) return false;
  if (formatIp(networkOf(cidr).address) === formatIp(address)) return false;
  return address.length === 16 || !isBroadcast(cidr, address);
}

/** Whether all host bits of an address are set. */
function isBroadcast({ prefixLength }: Cidr, address: IpAddress): boolean {
  return address.every(
    (byte, i) => (byte | (0xff00 >> Math.min(8, Math.max(0, prefixLength - 8 * i)))) % 256 === 255,
  );
}

/** The version in which the server itself writes the kinds of cluster IPs; undefined if it serves none. */
export function writtenVersion(view: ApiView): string | undefined {
  const gv = view
    .groupVersions()
    .find(
      (version) => version.group === serviceCidrs.group && view.resource({ ...version, ...serviceCidrs }),
    );
  return gv && formatGroupVersion(gv);
}
