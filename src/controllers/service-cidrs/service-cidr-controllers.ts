import { listAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import type { Controller } from "../contract/controller.ts";
import { onDemand } from "../contract/on-demand.ts";
import type { ServiceCidrEnvironment } from "./service-cidr-environment.ts";

const group = "networking.k8s.io";
/** The longest time until a server notices that a Service has lost its IPAddress. */
const resyncPeriod = 180_000;

/**
 * The controllers of ServiceCIDRs and IPAddresses. They find nothing to do in a new cluster. `due` says when to repair the addresses
 * that were deleted, by name.
 */
export function serviceCidrControllers(
  environment: ServiceCidrEnvironment,
  due: Map<string, number>,
): readonly Controller[] {
  const { lister, clock, gates } = environment;
  const ifOn = (observe: Controller["observe"]): Controller["observe"] =>
    gates.isEnabled("MultiCIDRServiceAllocator") ? observe : () => [];
  return [
    onDemand(
      {
        name: "service-cidr-controller",
        kinds: ["ServiceCIDR", "IPAddress"],
        observe: ifOn(({ type, object: { kind, metadata, status }, isFound }) => {
          const terminating = lister
            .list({ group, resource: "servicecidrs" }, "")
            .flatMap((one) => (one.metadata.deletionTimestamp ? (one.metadata.name ?? "") : []));
          const isKnown = isFound && metadata.finalizers !== undefined && status !== undefined;
          const isChanged = kind === "ServiceCIDR" && type === "put" && !isKnown;
          return isChanged ? [metadata.name ?? "", ...terminating] : terminating;
        }),
      },
      async () => (await import("./service-cidr-sync.ts")).syncServiceCidr(environment),
    ),
    onDemand(
      {
        name: "ipallocator-repair-controller",
        kinds: ["Service", "IPAddress"],
        observe: ifOn(({ type, object, isFound }) => {
          const { name = "", namespace } = object.metadata;
          if (object.kind === "Service") {
            const ip = textAt(object, "spec", "clusterIP");
            const isKnown = isFound && lister.get({ group, resource: "ipaddresses" }, "", ip) !== undefined;
            return type === "delete" || isKnown ? [] : [`${namespace}/${name}`];
          }
          // The allocator itself deletes what it creates for a Service that is not stored.
          if (type === "put") {
            const isOfAllocator = listAt(object, "metadata", "managedFields").every(
              ({ manager }) => manager === "kube-apiserver",
            );
            return isFound || isOfAllocator ? [] : [name];
          }
          const parent = (field: string) => textAt(object, "spec", "parentRef", field);
          const service = lister.get({ group: "", resource: "services" }, parent("namespace"), parent("name"));
          if (!textsAt(service ?? {}, "spec", "clusterIPs").includes(name)) return [];
          due.set(name, clock.now() + resyncPeriod);
          return [name];
        }),
      },
      async () => (await import("./cluster-ip-repair.ts")).repairClusterIps(environment, due),
    ),
  ];
}
