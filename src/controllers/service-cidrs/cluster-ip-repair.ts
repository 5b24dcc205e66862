import { isAlreadyExists, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import { formatIp, parseIp } from "../../apimachinery/ip.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import {
  familyNameOf,
  hasAllocatorLabels,
  ipAddresses,
  isManaged,
  refersToService,
  serviceAddressFields,
} from "../../kinds/networking/ip-address/service-address.ts";
import {
  holdsServiceIp,
  serviceNetworks,
  writtenVersion,
} from "../../kinds/networking/service-cidr/service-networks.ts";
import type { Controller } from "../contract/controller.ts";
import type { ServiceCidrEnvironment } from "./service-cidr-environment.ts";

type RepairEnvironment = Omit<ServiceCidrEnvironment, "client" | "gates">;

const services = { group: "", resource: "services" };
const reporter = "ipallocator-repair-controller";
/** How long an address may exist before its Service. */
const orphanPeriod = 60_000;
/** The longest time until a server notices that a Service has lost its IPAddress. */
const resyncPeriod = 180_000;

/**
 * Repairs the relation of Services and IPAddresses. A key is that of a Service, `/namespace/name`, or of an IPAddress and its Service,
 * `address/namespace/name`. Upstream: pkg/registry/core/service/ipallocator/controller/repairip.go.
 */
export function repairClusterIps(
  environment: RepairEnvironment,
  due: Map<string, number>,
): Controller["reconcile"] {
  const { lister, clock } = environment;
  return async (key) => {
    const [ip = "", namespace = "", name = ""] = key.split("/");
    const address = ip === "" ? undefined : lister.get(ipAddresses, "", ip);
    const service = lister.get(services, namespace, name);
    const isMissing = ip !== "" && address === undefined && service && clusterIpsOf(service).includes(ip);
    if (isMissing) {
      const time = due.get(ip) ?? clock.now() + resyncPeriod;
      due.set(ip, time);
      if (time > clock.now()) return time - clock.now();
    }
    due.delete(ip);
    if (address !== undefined) return repairAddress(address, environment);
    if (service !== undefined && (ip === "" || isMissing)) await repairService(service, environment);
    return undefined;
  };
}

/** What a server does when it starts. The controller tries again where that is refused. */
export async function repairAllClusterIps(
  lister: Lister,
  serverClient: RepairEnvironment["serverClient"],
  served: RepairEnvironment["served"],
  clock: RepairEnvironment["clock"],
): Promise<void> {
  const environment = { lister, serverClient, served, clock };
  for (const service of lister.list(services, "")) await repairService(service, environment).catch(() => {});
}

/** Gives a Service the IPAddresses that it lacks, and reports what cannot be repaired. */
async function repairService(service: KubeObject, environment: RepairEnvironment): Promise<void> {
  const { lister } = environment;
  const { namespace = "", name = "" } = service.metadata;
  const action = "ClusterIPAllocation";
  const warn = (reason: string, note: string) => report(service, { reason, action, note }, environment);
  for (const text of clusterIpsOf(service)) {
    const address = parseIp(text);
    if (address === undefined) continue;
    const ip = formatIp(address);
    const shown = `[${familyNameOf(ip)}]: ${ip}`;
    if (!serviceNetworks(lister).some(({ cidr }) => holdsServiceIp(cidr, address))) {
      const note = `Cluster IP ${shown} is not within any configured Service CIDR; please recreate service`;
      await warn("ClusterIPOutOfRange", note);
      continue;
    }
    const known = lister.get(ipAddresses, "", ip);
    if (known === undefined) {
      // The start of the server and its controller may repair a loaded Service at the same time; one of them reports it.
      if (await createAddress(ip, service, environment))
        await warn("ClusterIPNotAllocated", `Cluster IP ${shown} is not allocated; repairing`);
      continue;
    }
    const parent = structAt(known, "spec", "parentRef");
    const isOwn = textAt(parent, "namespace") === namespace && textAt(parent, "name") === name;
    const other = isOwn ? service : lister.get(services, textAt(parent, "namespace"), textAt(parent, "name"));
    if (!refersToService(known) || other === undefined) {
      const note = `the ClusterIP ${shown} for Service ${namespace}/${name} has a wrong reference; repairing`;
      await warn("ClusterIPNotAllocated", note);
      await recreateAddress(known, service, environment);
      continue;
    }
    if (!isOwn && clusterIpsOf(other).includes(ip)) {
      const note = `Cluster IP [${familyNameOf(ip)}]:${ip} was assigned to multiple services; please recreate service`;
      await warn("ClusterIPAlreadyAllocated", note);
    }
    if (!hasAllocatorLabels(known)) await recreateAddress(known, service, environment);
  }
}

/** Deletes an IPAddress of the allocator that no Service has. Returns the time until an address without its Service is deleted. */
async function repairAddress(
  address: KubeObject,
  environment: RepairEnvironment,
): Promise<number | undefined> {
  const { lister, clock } = environment;
  const { name = "", creationTimestamp } = address.metadata;
  if (!isManaged(address)) return undefined;
  const action = "IPAddressAllocation";
  const remove = async (reason: string, note: string) => {
    await report(address, { reason, action, note }, environment);
    await deleteAddress(address, environment);
  };
  const parent = structAt(address, "spec", "parentRef");
  const of = `${textAt(parent, "namespace")}/${textAt(parent, "name")}`;
  if (!refersToService(address)) {
    const { group = "", resource = "", namespace = "", name: parentName = "" } = parent;
    const shown = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parentName},}`;
    const note = `IPAddress ${name} appears to have been modified, not referencing a Service ${shown}: cleaning up`;
    await remove("IPAddressNotAllocated", note);
    return undefined;
  }
  const service = lister.get(services, textAt(parent, "namespace"), textAt(parent, "name"));
  if (service === undefined) {
    // The allocator itself deletes what it has created for a Service that was not stored.
    if (listAt(address, "metadata", "managedFields").every(({ manager }) => manager === "kube-apiserver"))
      return undefined;
    const left = Date.parse(creationTimestamp ?? "") + orphanPeriod - clock.now();
    if (left >= 0) return left + 1;
    await remove(
      "IPAddressNotAllocated",
      `IPAddress: ${name} for Service ${of} appears to have leaked: cleaning up`,
    );
  } else if (!clusterIpsOf(service).includes(name)) {
    await remove(
      "IPAddressWrongReference",
      `IPAddress: ${name} for Service ${of} has a wrong reference; cleaning up`,
    );
  }
  return undefined;
}

/** The addresses of a Service; none if it is headless or has another type. */
function clusterIpsOf(service: KubeObject): readonly string[] {
  const isExternal = textAt(service, "spec", "type") === "ExternalName";
  return isExternal ? [] : textsAt(service, "spec", "clusterIPs").filter((ip) => ip !== "None");
}

/** Returns whether the address did not exist. */
async function createAddress(
  ip: string,
  service: KubeObject,
  { serverClient, served }: RepairEnvironment,
): Promise<boolean> {
  const { labels, spec } = serviceAddressFields(ip, service.metadata);
  const apiVersion = served.current.derived(writtenVersion) ?? "";
  const address = { apiVersion, kind: "IPAddress", metadata: { name: ip, labels }, spec };
  return serverClient.create(address).then(
    () => true,
    (error: unknown) => {
      if (isAlreadyExists(error)) return false;
      throw error;
    },
  );
}

async function recreateAddress(
  address: KubeObject,
  service: KubeObject,
  environment: RepairEnvironment,
): Promise<void> {
  await deleteAddress(address, environment);
  await createAddress(address.metadata.name ?? "", service, environment);
}

async function deleteAddress(
  { apiVersion, kind, metadata: { name = "" } }: KubeObject,
  { serverClient }: RepairEnvironment,
): Promise<void> {
  await serverClient.delete(apiVersion, kind, name).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

interface Warning {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Events are recorded as well as possible. */
async function report(
  object: KubeObject,
  warning: Warning,
  { serverClient, clock }: RepairEnvironment,
): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const { name = "", namespace, uid = "", resourceVersion = "" } = metadata;
  const now = clock.now();
  const event = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: {
      name: `${name}.${(BigInt(Math.floor(now)) * 1_000_000n).toString(16)}`,
      namespace: namespace ?? "default",
    },
    eventTime: formatMicroTime(now),
    reportingController: reporter,
    reportingInstance: `${reporter}-vm`,
    ...warning,
    regarding: {
      kind,
      ...(namespace !== undefined && { namespace }),
      name,
      uid,
      apiVersion,
      resourceVersion,
    },
    type: "Warning",
  };
  await serverClient.create(event).catch(() => {});
}
