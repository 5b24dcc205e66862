import { structAt } from "../../apimachinery/fields.ts";
import type { Controller } from "../contract/controller.ts";
import { onDemand } from "../contract/on-demand.ts";
import type { ServiceCidrEnvironment } from "./service-cidr-environment.ts";

/**
 * The controllers of ServiceCIDRs and IPAddresses, if the gate is on. They find nothing to do in a new cluster. A server repairs the
 * addresses of the Services that it finds when it starts. `due` says when to repair the addresses that were deleted, by name.
 */
export function serviceCidrControllers(
  environment: ServiceCidrEnvironment,
  due: Map<string, number>,
): readonly Controller[] {
  if (!environment.gates.isEnabled("MultiCIDRServiceAllocator")) return [];
  return [
    onDemand(
      {
        name: "service-cidr-controller",
        kinds: ["ServiceCIDR", "IPAddress"],
        observe: ({ object: { kind, metadata }, isFound }) => {
          // An address may matter for every ServiceCIDR that is terminating.
          if (kind === "IPAddress") return isFound ? [] : [""];
          const isKnown = isFound && metadata.finalizers && !metadata.deletionTimestamp;
          return isKnown ? [] : [metadata.name ?? ""];
        },
      },
      async () => (await import("./service-cidr-sync.ts")).syncServiceCidrs(environment),
    ),
    onDemand(
      {
        name: "ipallocator-repair-controller",
        kinds: ["Service", "IPAddress"],
        observe: ({ object, isFound }) => {
          const { kind, metadata } = object;
          if (isFound) return [];
          if (kind === "Service") return [`/${metadata.namespace}/${metadata.name}`];
          const { namespace, name } = structAt(object, "spec", "parentRef");
          return [`${metadata.name}/${namespace}/${name}`];
        },
      },
      async () => (await import("./cluster-ip-repair.ts")).repairClusterIps(environment, due),
    ),
  ];
}
