import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
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
import { hostPortsOnHostNetwork } from "../../pod-spec/defaults/host-ports.ts";
import {
  podSpecDefaults,
  withoutInitContainerAnnotations,
} from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { amountsFrom, roundedAmounts } from "../../quantities/resource-list.ts";
import { podLevelResourceDefaults } from "./pod-level-resource-defaults.ts";

const requestsFromLimits = ifSet("resources", amountsFrom("limits", "requests"));

const containerStatus = all(
  roundedAmounts("allocatedResources"),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/**
 * The defaults of a Pod. They include some that pod templates do not have, so that templates keep their generation
 * when such a default is added.
 */
export function podDefaults(pod: MutableJsonObject, gates: FeatureGates): void {
  withoutInitContainerAnnotations(pod);
  const spec = objectAt(pod, "spec");
  // Only a stored spec that is known to have all its defaults is frozen (endpoints/contract/complete-spec.ts).
  if (spec === undefined || !Object.isFrozen(spec)) specDefaults(pod, gates);
  statusDefaults(pod);
}

function specDefaults(pod: MutableJsonObject, gates: FeatureGates): void {
  ofSpec(pod);
  const spec = sentStruct(pod, "spec");
  if (spec === undefined) return;
  if (gates.isEnabled("PodLevelResources")) podLevelResourceDefaults(spec);
  if (gates.since("1.27")) noNegativeGracePeriod(spec);
  pod["spec"] = withResizePolicies(spec, gates);
}

/** Pod templates keep a negative grace period (pkg/apis/core/v1/conversion.go: Convert_v1_Pod_To_core_Pod). */
function noNegativeGracePeriod(spec: MutableJsonObject): void {
  const seconds = spec["terminationGracePeriodSeconds"];
  if ((typeof seconds === "number" || typeof seconds === "bigint") && seconds < 0) {
    spec["terminationGracePeriodSeconds"] = 1;
  }
}

const ofSpec: Defaulter = inStruct(
  "spec",
  each("containers", requestsFromLimits),
  each("initContainers", requestsFromLimits),
  whenUnset({ enableServiceLinks: true }),
  hostPortsOnHostNetwork,
  podSpecDefaults,
);

const statusDefaults: Defaulter = ifSet(
  "status",
  firstAddress,
  each("initContainerStatuses", containerStatus),
  each("containerStatuses", containerStatus),
  each("ephemeralContainerStatuses", containerStatus),
);

/**
 * Copies `podIP` and the first of `podIPs` into each other. Old clients know only the first address, so `podIP` takes
 * precedence. Upstream converts every object, so both belong to its writer (pkg/apis/core/v1/conversion.go).
 */
function firstAddress(status: MutableJsonObject): void {
  const address = textAt(status, "podIP");
  const [first] = listAt(status, "podIPs");
  const ip = first === undefined ? "" : textAt(first, "ip");
  if (address === ip) return;
  if (address === "") status["podIP"] = ip;
  else status["podIPs"] = [{ ip: address }];
}

/** Sets the resize policies of containers in the releases before 1.33, which default them; otherwise returns the same spec. */
export function withResizePolicies(spec: JsonObject, { since, isEnabled }: FeatureGates): JsonObject {
  if (since("1.33") || !isEnabled("InPlacePodVerticalScaling")) return spec;
  return editedEach(spec, "containers", withResizePolicy);
}

/** Adds the policy `NotRequired` for cpu and memory that the container requests or limits and has no policy for. */
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
