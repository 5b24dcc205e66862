import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import { editedEach } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  sentStruct,
  whenUnset,
} from "../../defaulting/defaulter.ts";
import { podSpecDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { amountsFrom, roundedAmounts } from "../../quantities/resource-list.ts";
import { podLevelResourceDefaults } from "./pod-level-resource-defaults.ts";

/** From this release on, what is unset goes without saying. */
const firstWithoutResizePolicies = 33;

const requestsFromLimits = ifSet("resources", amountsFrom("limits", "requests"));

const containerStatus = all(
  roundedAmounts("allocatedResources"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** Pod: more than its template has, so that templates need not change when such a default is added. */
export function podDefaults(pod: MutableJsonObject, gates: FeatureGates): void {
  defaults(pod);
  const spec = sentStruct(pod, "spec");
  if (spec === undefined) return;
  if (gates.isEnabled("PodLevelResources")) podLevelResourceDefaults(spec);
  pod["spec"] = withResizePolicies(spec, gates);
}

const defaults: Defaulter = all(
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

/**
 * The spec with what becomes of each container when its resources change, in the releases that say so; itself if there
 * is nothing to say.
 */
export function withResizePolicies(spec: JsonObject, { minor, isEnabled }: FeatureGates): JsonObject {
  if (minor >= firstWithoutResizePolicies || !isEnabled("InPlacePodVerticalScaling")) return spec;
  return editedEach(spec, "containers", withResizePolicy);
}

/** What a container asks for of the compute resources changes without a restart, unless it says otherwise. */
function withResizePolicy(container: JsonObject): JsonObject {
  const policies = listAt(container, "resizePolicy");
  const known = new Set(policies.map((policy) => policy["resourceName"]));
  const missing = ["cpu", "memory"].filter((name) => !known.has(name) && asksFor(container, name));
  if (missing.length === 0) return container;
  const added = missing.map((resourceName) => ({ resourceName, restartPolicy: "NotRequired" }));
  return { ...container, resizePolicy: [...policies, ...added] };
}

function asksFor(container: JsonObject, resource: string): boolean {
  return ["requests", "limits"].some(
    (list) => objectAt(container, "resources", list)?.[resource] !== undefined,
  );
}
