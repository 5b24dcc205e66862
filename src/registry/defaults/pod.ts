import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, inStruct, whenUnset } from "./defaulter.ts";
import { podSpecDefaults } from "./pod-spec.ts";
import { amountsFrom, roundedAmounts } from "./resource-list.ts";

const requestsFromLimits = ifSet("resources", amountsFrom("limits", "requests"));

const containerStatus = all(
  roundedAmounts("allocatedResources"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** Pod: more than its template has, so that templates need not change when such a default is added. */
export const podDefaults: Defaulter = all(
  inStruct(
    "spec",
    each("containers", requestsFromLimits),
    each("initContainers", requestsFromLimits),
    whenUnset({ enableServiceLinks: true }),
    hostPortsOnHostNetwork,
    podSpecDefaults,
  ),
  ifSet(
    "status",
    each("initContainerStatuses", containerStatus),
    each("containerStatuses", containerStatus),
    each("ephemeralContainerStatuses", containerStatus),
  ),
);

const hostPortFromContainerPort = each("ports", (port) => {
  port["hostPort"] ||= port["containerPort"] ?? 0;
});
const hostPorts = all(
  each("containers", hostPortFromContainerPort),
  each("initContainers", hostPortFromContainerPort),
);

function hostPortsOnHostNetwork(spec: MutableJsonObject): void {
  if (spec["hostNetwork"] === true) hostPorts(spec);
}
