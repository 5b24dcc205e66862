import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

export const ipAddresses = { group: "networking.k8s.io", resource: "ipaddresses" };

const familyLabel = "ipaddress.kubernetes.io/ip-family";
const managedBy = "ipaddress.kubernetes.io/managed-by";
const allocator = "ipallocator.k8s.io";

/** The IP families by their names in labels. */
export function familyNameOf(ip: string): "IPv4" | "IPv6" {
  return ip.includes(":") ? "IPv6" : "IPv4";
}

/** The Service that an address refers to. */
export interface ServiceReference {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The labels and the spec of the IPAddress for a cluster IP. Upstream: pkg/registry/core/service/ipallocator/ipallocator.go,
 * createIPAddress.
 */
export function serviceAddressFields(
  ip: string,
  { namespace = "", name = "" }: ServiceReference,
): { readonly labels: Readonly<Record<string, string>>; readonly spec: JsonObject } {
  return {
    labels: { [familyLabel]: familyNameOf(ip), [managedBy]: allocator },
    spec: { parentRef: { resource: "services", namespace, name } },
  };
}

/** Whether the allocator of cluster IPs manages an IPAddress. */
export function isManaged({ metadata }: KubeObject): boolean {
  return metadata.labels?.[managedBy] === allocator;
}

/** Whether an IPAddress has the labels that the allocator gives it. */
export function hasAllocatorLabels(address: KubeObject): boolean {
  const { name = "", labels } = address.metadata;
  return isManaged(address) && labels?.[familyLabel] === familyNameOf(name);
}

/** Whether the parent of an IPAddress is a Service. */
export function refersToService(address: KubeObject): boolean {
  const parent = structAt(address, "spec", "parentRef");
  return textAt(parent, "group") === "" && textAt(parent, "resource") === "services";
}
