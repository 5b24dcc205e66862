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
  const creator = { manager: "kube-apiserver", operation: "Update", fieldsV1: null };
  const serviceCidr = {
    kind: "ServiceCIDR",
    metadata: {
      name: "kubernetes",
      generation: 1,
      ...(isControlled && { finalizers: [finalizer] }),
      managedFields: [...statusEntries(apiVersion, isControlled), creator],
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
      managedFields: [creator],
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
function statusEntries(apiVersion: string, isControlled: boolean): readonly JsonObject[] {
  const applied = (manager: string, ...fields: readonly string[]) => ({
    manager,
    operation: "Apply",
    apiVersion,
    time: epoch,
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:status": {
        "f:conditions": {
          'k:{"type":"Ready"}': Object.fromEntries([".", ...fields.map((name) => `f:${name}`)].map((f) => [f, {}])),
        },
      },
    },
    subresource: "status",
  });
  const all = ["lastTransitionTime", "message", "status", "type"];
  const server = "kubernetes-service-cidr-controller";
  if (!isControlled) return [applied(server, ...all)];
  const finalized = {
    manager: "kube-controller-manager",
    operation: "Update",
    apiVersion,
    time: epoch,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:metadata": { "f:finalizers": { ".": {}, [`v:"${finalizer}"`]: {} } } },
  };
  return [
    applied(server, "lastTransitionTime", "status", "type"),
    applied("service-cidr-controller", ...all),
    finalized,
  ];
}
