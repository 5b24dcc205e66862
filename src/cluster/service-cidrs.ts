import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { formatIp } from "../apimachinery/ip.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { formatTime } from "../apimachinery/time.ts";
import { isControllerEnabled } from "../controllers/enabled-controllers.ts";
import { repairAllClusterIps } from "../controllers/service-cidrs/cluster-ip-repair.ts";
import { ipAddresses, serviceAddressFields } from "../kinds/networking/ip-address/service-address.ts";
import { serviceCidrs } from "../kinds/networking/service-cidr/service-networks.ts";
import { addressAfter, formatCidr } from "../registry/contract/service-ranges.ts";
import type { StoredObjects } from "../registry/stored-objects.ts";
import type { ServedApi } from "../served/served-api.ts";
import { type BootstrapOptions, completeSeed, seedOf } from "./bootstrap.ts";
import type { ClusterClient } from "./client.ts";
import type { RecordedObject } from "./recorded-objects.ts";
import { seedVersions } from "./seed-versions.ts";

const finalizer = "networking.k8s.io/service-cidr-finalizer";
const kubernetes = { namespace: "default", name: "kubernetes" };

/** The parts of a server on which its ServiceCIDR depends. */
export interface ServiceCidrServer {
  readonly objects: StoredObjects;
  readonly options: BootstrapOptions;
  readonly served: ServedApi;
}

/**
 * Provides what a server with the gate MultiCIDRServiceAllocator has once it has started: its ServiceCIDR, and the IPAddresses of the
 * Services. Over the storage of other servers and over loaded objects, it repairs those that Services lack. Without the kinds, a server
 * allocates as those without the gate do.
 */
export async function provideServiceCidrs(
  server: ServiceCidrServer,
  client: ClusterClient,
  origin: "new" | "given" | "stored",
): Promise<void> {
  const { objects, options, served } = server;
  if (versionOf(server) === undefined) return;
  const isFirst = createServiceCidr(server);
  if (origin === "stored") await repairAllClusterIps(objects, client, served, options.clock);
  else if (isFirst) createOwnAddress(server);
}

/** Creates the ServiceCIDR of a server unless it exists; returns whether it did. */
export function createServiceCidr(server: Pick<ServiceCidrServer, "objects" | "options">): boolean {
  const { objects } = server;
  if (objects.get(serviceCidrs, "", kubernetes.name) !== undefined) return false;
  const now = formatTime(server.options.clock.now());
  put(server, serviceCidrs.resource, (apiVersion) => serviceCidrOf(apiVersion, now, server));
  return true;
}

/** Gives the Service of the API its IPAddress. */
function createOwnAddress(server: ServiceCidrServer): void {
  const [network] = server.options.serviceRanges.clusterIps;
  const ip = network && formatIp(addressAfter(network.address, 1));
  if (ip === undefined || server.objects.get(ipAddresses, "", ip) !== undefined) return;
  const { labels, spec } = serviceAddressFields(ip, kubernetes);
  const managedFields = [{ manager: "kube-apiserver", operation: "Update", fieldsV1: null }];
  const metadata = { name: ip, generation: 1, labels, managedFields };
  put(server, ipAddresses.resource, () => ({ kind: "IPAddress", metadata, spec }));
}

function put(
  { objects, options }: Pick<ServiceCidrServer, "objects" | "options">,
  resource: string,
  objectOf: (apiVersion: string) => RecordedObject["object"],
): void {
  const apiVersion = versionOf({ options }) ?? "";
  const recorded = { path: `${apiVersion}/${resource}`, object: objectOf(apiVersion), isCanonical: false };
  const seed = seedOf(options.catalog, recorded);
  if (seed !== undefined) objects.put(seed, completeSeed(seed, options));
}

/** The version in which the server writes both kinds; undefined if it does not serve them. */
function versionOf({ options }: Pick<ServiceCidrServer, "options">): string | undefined {
  const versions = seedVersions(options.catalog, serviceCidrs);
  return versions && formatGroupVersion(versions.written);
}

/**
 * The ServiceCIDR with the configured ranges. With the controller, it has the finalizer and the condition of that. Upstream:
 * pkg/controlplane/controller/defaultservicecidr and pkg/controller/servicecidrs.
 */
function serviceCidrOf(
  apiVersion: string,
  lastTransitionTime: string,
  { options: { serviceRanges, controllers } }: Pick<ServiceCidrServer, "options">,
): RecordedObject["object"] {
  const isControlled = isControllerEnabled("service-cidr-controller", controllers);
  const message = `Kubernetes ${isControlled ? "" : "default "}Service CIDR is ready`;
  const ready = { type: "Ready", status: "True", lastTransitionTime, reason: "", message };
  const metadata = {
    name: kubernetes.name,
    generation: 1,
    ...(isControlled && { finalizers: [finalizer] }),
    managedFields: ownersOf(apiVersion, isControlled),
  };
  return {
    kind: "ServiceCIDR",
    metadata,
    spec: { cidrs: serviceRanges.clusterIps.map(formatCidr) },
    status: { conditions: [ready] },
  };
}

/** The server applies the condition first. The controller then takes its message and shares the rest. */
function ownersOf(apiVersion: string, isControlled: boolean): readonly JsonObject[] {
  const entry = (manager: string, operation: "Apply" | "Update", fieldsV1: JsonObject) => ({
    manager,
    operation,
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1,
  });
  const applied = (manager: string, message: JsonObject) => {
    const condition = { ".": {}, "f:lastTransitionTime": {}, ...message, "f:status": {}, "f:type": {} };
    const fields = { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': condition } } };
    return { ...entry(manager, "Apply", fields), subresource: "status" };
  };
  const message = { "f:message": {} };
  const server = "kubernetes-service-cidr-controller";
  const creator = entry("kube-apiserver", "Update", { "f:spec": { "f:cidrs": {} } });
  if (!isControlled) return [applied(server, message), creator];
  const finalizers = { ".": {}, [`v:"${finalizer}"`]: {} };
  return [
    applied(server, {}),
    applied("service-cidr-controller", message),
    creator,
    entry("kube-controller-manager", "Update", { "f:metadata": { "f:finalizers": finalizers } }),
  ];
}
