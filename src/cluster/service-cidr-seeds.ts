import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { formatIp } from "../apimachinery/ip.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { addressAfter, formatCidr, type ServiceRanges } from "../registry/contract/service-ranges.ts";
import type { RecordedObject } from "./recorded-objects.ts";
import { seedVersions } from "./seed-versions.ts";

const epoch = "1970-01-01T00:00:00Z";
const finalizer = "networking.k8s.io/service-cidr-finalizer";

/** Whether servers have a ServiceCIDR: the gate is on, and they serve the kind. */
export function hasServiceCidrs({ catalog, featureGates }: Facts): boolean {
  return featureGates.isEnabled("MultiCIDRServiceAllocator") && versionOf(catalog) !== undefined;
}

interface Facts {
  readonly catalog: Catalog;
  readonly featureGates: FeatureGates;
}

function versionOf(catalog: Catalog): string | undefined {
  const versions = seedVersions(catalog, { group: "networking.k8s.io", resource: "servicecidrs" });
  return versions && formatGroupVersion(versions.written);
}

/**
 * The ServiceCIDR with the configured ranges and the IPAddress of the Service of the API. With the controller, it has the finalizer and the
 * condition of that. Upstream: pkg/controlplane/controller/defaultservicecidr and pkg/controller/servicecidrs.
 */
export function serviceCidrSeeds(
  catalog: Catalog,
  { clusterIps }: ServiceRanges,
  isControlled: boolean,
): readonly RecordedObject[] {
  const apiVersion = versionOf(catalog);
  const [network] = clusterIps;
  if (apiVersion === undefined || network === undefined) return [];
  const ip = formatIp(addressAfter(network.address, 1));
  const serviceCidr = {
    kind: "ServiceCIDR",
    metadata: {
      name: "kubernetes",
      generation: 1,
      ...(isControlled && { finalizers: [finalizer] }),
      managedFields: ownersOf(apiVersion, isControlled),
    },
    spec: { cidrs: clusterIps.map(formatCidr) },
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: epoch,
          reason: "",
          message: `Kubernetes ${isControlled ? "" : "default "}Service CIDR is ready`,
        },
      ],
    },
  };
  const address = {
    kind: "IPAddress",
    metadata: {
      name: ip,
      generation: 1,
      labels: {
        "ipaddress.kubernetes.io/ip-family": network.address.length === 4 ? "IPv4" : "IPv6",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
      managedFields: [{ manager: "kube-apiserver", operation: "Update", fieldsV1: null }],
    },
    spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
  };
  return [
    { path: `${apiVersion}/servicecidrs`, object: serviceCidr },
    { path: `${apiVersion}/ipaddresses`, object: address },
  ];
}

/** The server applies the condition first. The controller then takes its message and shares the rest. */
function ownersOf(apiVersion: string, isControlled: boolean): readonly JsonObject[] {
  const entry = (manager: string, fieldsV1: JsonObject, operation = "Update") => ({
    manager,
    operation,
    apiVersion,
    time: epoch,
    fieldsType: "FieldsV1",
    fieldsV1,
  });
  const applied = (manager: string, message: JsonObject) => {
    const condition = { ".": {}, "f:lastTransitionTime": {}, ...message, "f:status": {}, "f:type": {} };
    const fields = { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': condition } } };
    return { ...entry(manager, fields, "Apply"), subresource: "status" };
  };
  const message = { "f:message": {} };
  const finalizers = { "f:finalizers": { ".": {}, [`v:"${finalizer}"`]: {} } };
  return [
    applied("kubernetes-service-cidr-controller", isControlled ? {} : message),
    ...(isControlled ? [applied("service-cidr-controller", message)] : []),
    entry("kube-apiserver", { "f:spec": { "f:cidrs": {} } }),
    ...(isControlled ? [entry("kube-controller-manager", { "f:metadata": finalizers })] : []),
  ];
}
