import { listAt, textAt } from "../../apimachinery/fields.ts";
import { cidrContains, formatIp, parseIp } from "../../apimachinery/ip.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { familyNameOf, ipAddresses, isManaged } from "../../kinds/networking/ip-address/service-address.ts";
import {
  holdsServiceIp,
  networksOf,
  serviceCidrs,
  serviceNetworks,
  writtenVersion,
} from "../../kinds/networking/service-cidr/service-networks.ts";
import type { Controller } from "../contract/controller.ts";
import type { ServiceCidrEnvironment } from "./service-cidr-environment.ts";

const finalizer = "networking.k8s.io/service-cidr-finalizer";
/** How long a deleted ServiceCIDR stays, so that every server knows that it must not allocate from it. */
const deletionPeriod = 10_000;

const ready = { status: "True", message: "Kubernetes Service CIDR is ready" };
const terminating = {
  status: "False",
  reason: "Terminating",
  message:
    "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
};

/**
 * Protects a ServiceCIDR and reports that it is ready; once it is deleted, keeps it while an IPAddress needs it. The empty key stands for
 * all that are terminating. Upstream: pkg/controller/servicecidrs/servicecidrs_controller.go. Unlike upstream, it does not report
 * again what the status says already.
 */
export function syncServiceCidrs(environment: ServiceCidrEnvironment): Controller["reconcile"] {
  const sync = syncServiceCidr(environment);
  return async (key) => {
    if (key !== "") return sync(key);
    const all = environment.lister.list(serviceCidrs, "");
    const delays: number[] = [];
    for (const { metadata } of all.filter((one) => one.metadata.deletionTimestamp)) {
      const left = await sync(metadata.name ?? "");
      if (left !== undefined) delays.push(left);
    }
    return delays.length === 0 ? undefined : Math.min(...delays);
  };
}

function syncServiceCidr({
  lister,
  client,
  served,
  clock,
}: ServiceCidrEnvironment): (name: string) => Promise<number | undefined> {
  const report = async (serviceCidr: KubeObject, condition: JsonObject) => {
    const { name = "" } = serviceCidr.metadata;
    const known = listAt(serviceCidr, "status", "conditions").find(({ type }) => type === "Ready");
    if (known !== undefined && Object.entries(condition).every(([field, value]) => known[field] === value))
      return;
    const lastTransitionTime = formatTime(clock.now());
    const conditions = [{ type: "Ready", ...condition, lastTransitionTime }];
    const apiVersion = served.current.derived(writtenVersion) ?? "";
    await client.apply(
      { apiVersion, kind: "ServiceCIDR", metadata: { name }, status: { conditions } },
      { fieldManager: "service-cidr-controller", force: true, subresource: "status" },
    );
  };
  const patchFinalizers = async (serviceCidr: KubeObject, metadata: JsonObject) => {
    const { apiVersion, kind, metadata: own } = serviceCidr;
    await client.patch(apiVersion, kind, own.name ?? "", { metadata }, { type: "strategic" });
  };
  return async (name) => {
    const serviceCidr = lister.get(serviceCidrs, "", name);
    if (serviceCidr === undefined) return undefined;
    const { deletionTimestamp, finalizers = [] } = serviceCidr.metadata;
    const isProtected = finalizers.includes(finalizer);
    if (!deletionTimestamp) {
      if (!isProtected) await patchFinalizers(serviceCidr, { finalizers: [finalizer] });
      await report(serviceCidr, ready);
      return undefined;
    }
    if (isNeeded(serviceCidr, lister)) {
      await report(serviceCidr, terminating);
      return undefined;
    }
    const left = Date.parse(deletionTimestamp) + deletionPeriod - clock.now();
    if (left > 0) return left;
    if (isProtected)
      await patchFinalizers(serviceCidr, { "$deleteFromPrimitiveList/finalizers": [finalizer] });
    return undefined;
  };
}

/**
 * Whether an allocated address would be in no ServiceCIDR without this one. Upstream: canDeleteCIDR, which does not look at addresses if
 * other ServiceCIDRs contain all its networks.
 */
export function isNeeded(serviceCidr: KubeObject, lister: Lister): boolean {
  const networks = serviceNetworks(lister);
  const isOther = (one: KubeObject) => one.metadata.name !== serviceCidr.metadata.name;
  const own = networksOf(serviceCidr);
  const isContained = own.every((cidr) =>
    networks.some(
      (other) =>
        isOther(other.serviceCidr) &&
        other.cidr.prefixLength <= cidr.prefixLength &&
        cidrContains(other.cidr, cidr.address),
    ),
  );
  if (isContained) return false;
  return lister.list(ipAddresses, "").some((ipAddress) => {
    const address = parseIp(ipAddress.metadata.name ?? "");
    if (address === undefined || !isManaged(ipAddress)) return false;
    if (textAt(ipAddress, "metadata", "labels", familyLabel) !== familyNameOf(formatIp(address)))
      return false;
    const holders = networks.filter(({ cidr }) => holdsServiceIp(cidr, address));
    return holders.length > 0 && holders.every((holder) => !isOther(holder.serviceCidr));
  });
}

const familyLabel = "ipaddress.kubernetes.io/ip-family";
