import { booleanAt, listAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { endpointsOf, type NewSlice, type SlicePlan } from "./slice-plan.ts";

/** What the hints of a service's endpoints follow: nothing, its traffic distribution, or the CPUs of zones. */
export type HintMode = "none" | "ownZone" | "ownNode" | "cpus";

const cpuAnnotations = ["service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"];

export function hintModeOf(service: KubeObject, { isEnabled }: FeatureGates): HintMode {
  const { annotations = {} } = service.metadata;
  const [topology] = cpuAnnotations.flatMap((name) => annotations[name] ?? []);
  if (topology === "Auto" || topology === "auto") return isEnabled("TopologyAwareHints") ? "cpus" : "none";
  if (!isEnabled("ServiceTrafficDistribution")) return "none";
  const distribution = textAt(service, "spec", "trafficDistribution");
  if (distribution === "PreferClose") return "ownZone";
  if (!isEnabled("PreferSameTrafficDistribution")) return "none";
  if (distribution === "PreferSameZone") return "ownZone";
  return distribution === "PreferSameNode" ? "ownNode" : "none";
}

/**
 * Gives the endpoints of a plan their hints, and plans updates of unchanged slices with others. Upstream: `ReconcileHints`
 * (staging/src/k8s.io/endpointslice/trafficdist), and for no hints `RemoveHintsFromSlices`.
 */
export function withOwnHints(
  plan: SlicePlan,
  unchanged: readonly KubeObject[],
  mode: Exclude<HintMode, "cpus">,
): SlicePlan {
  const hintsOf = (endpoint: JsonObject) => ownHints(endpoint, mode);
  const stale = unchanged.filter((slice) =>
    listAt(slice, "endpoints").some((endpoint) => !jsonEqual(endpoint["hints"], hintsOf(endpoint))),
  );
  // The endpoints of a plan come without hints.
  if (mode === "none" && stale.length === 0) return plan;
  return {
    create: plan.create.map((slice) => withHints(slice, hintsOf)),
    update: [...plan.update, ...stale].map((slice) => withHints(slice, hintsOf)),
    remove: plan.remove,
  };
}

/** A slice with other hints. */
export function withHints<T extends KubeObject | NewSlice>(
  slice: T,
  hintsOf: (endpoint: JsonObject) => JsonObject | undefined,
): T {
  const endpoints = endpointsOf(slice).map(({ hints: _, ...endpoint }) => {
    const hints = hintsOf(endpoint);
    return hints === undefined ? endpoint : { ...endpoint, hints };
  });
  return { ...slice, endpoints };
}

export function isReady(endpoint: JsonObject): boolean {
  return booleanAt(endpoint, "conditions", "ready");
}

function ownHints(endpoint: JsonObject, mode: HintMode): JsonObject | undefined {
  if (mode === "none" || !isReady(endpoint)) return undefined;
  const { zone: name, nodeName } = endpoint;
  const forZones = name === undefined ? {} : { forZones: [{ name }] };
  const forNodes = mode === "ownZone" || nodeName === undefined ? {} : { forNodes: [{ name: nodeName }] };
  const hints = { ...forZones, ...forNodes };
  return Object.keys(hints).length > 0 ? hints : undefined;
}
