import { listAt, structAt } from "../apimachinery/fields.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { formatIp } from "../apimachinery/ip.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { addressAfter, formatCidr, type ServiceRanges } from "../registry/contract/service-ranges.ts";
import type { RecordedObject } from "./recorded-objects.ts";

const group = "networking.k8s.io";
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
  const gv = catalog
    .groupVersions()
    .find((version) => version.group === group && catalog.resource({ ...version, resource: "servicecidrs" }));
  return gv && formatGroupVersion(gv);
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
    status: { conditions: [readyCondition(isControlled)] },
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

/** The seed with the time at which it became ready. */
export function readySince(serviceCidr: KubeObject, lastTransitionTime: string): KubeObject {
  const conditions = listAt(serviceCidr, "status", "conditions").map((condition) => ({
    ...condition,
    lastTransitionTime,
  }));
  return { ...serviceCidr, status: { ...structAt(serviceCidr, "status"), conditions } };
}

function readyCondition(isControlled: boolean): JsonObject {
  const message = `Kubernetes ${isControlled ? "" : "default "}Service CIDR is ready`;
  return { type: "Ready", status: "True", lastTransitionTime: epoch, reason: "", message };
}

/** The server applies the condition first. The controller then takes its message and shares the rest. */
function ownersOf(apiVersion: string, isControlled: boolean): readonly JsonObject[] {
  const entry = (manager: string, operation: string, fieldsV1: JsonObject) => ({
    manager,
    operation,
    apiVersion,
    time: epoch,
    fieldsType: "FieldsV1",
    fieldsV1,
  });
  const applied = (manager: string, fields: JsonObject) => ({
    ...entry(manager, "Apply", { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': fields } } }),
    subresource: "status",
  });
  const shared = { ".": {}, "f:lastTransitionTime": {}, "f:status": {}, "f:type": {} };
  const whole = { ".": {}, "f:lastTransitionTime": {}, "f:message": {}, "f:status": {}, "f:type": {} };
  const server = "kubernetes-service-cidr-controller";
  const creator = entry("kube-apiserver", "Update", { "f:spec": { "f:cidrs": {} } });
  if (!isControlled) return [applied(server, whole), creator];
  const finalizers = { ".": {}, [`v:"${finalizer}"`]: {} };
  return [
    applied(server, shared),
    applied("service-cidr-controller", whole),
    creator,
    entry("kube-controller-manager", "Update", { "f:metadata": { "f:finalizers": finalizers } }),
  ];
}
