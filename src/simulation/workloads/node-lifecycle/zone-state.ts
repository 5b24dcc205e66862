import { stringsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** Upstream: `ZoneState` (pkg/controller/nodelifecycle/node_lifecycle_controller.go). */
export type ZoneState = "Initial" | "Normal" | "PartialDisruption" | "FullDisruption";

/** The nodes of a zone. */
export interface ZoneSize {
  readonly ready: number;
  readonly notReady: number;
}

/** The flags `--node-eviction-rate`, `--secondary-node-eviction-rate`, `--large-cluster-size-threshold` and `--unhealthy-zone-threshold`. */
const evictionRate = 0.1;
const secondaryEvictionRate = 0.01;
const largeClusterSizeThreshold = 50;
const unhealthyZoneThreshold = 0.55;

const exclusion = "node.kubernetes.io/exclude-disruption";

/** The zone of a node. Upstream: `GetZoneKey` (component-helpers, node/topology/helpers.go). */
export function zoneOf(node: KubeObject, { since }: FeatureGates): string {
  const labels = stringsAt(node, "metadata", "labels");
  const at = (name: string) => {
    const current = since("1.17") ? labels[`topology.kubernetes.io/${name}`] : undefined;
    return labels[`failure-domain.beta.kubernetes.io/${name}`] ?? current ?? "";
  };
  const [region, zone] = [at("region"), at("zone")];
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

/** Whether a node counts in its zone. Upstream: `isNodeExcludedFromDisruptionChecks`, and `LegacyNodeRoleBehavior` before 1.21. */
export function countsInZone({ metadata }: KubeObject, { since }: FeatureGates): boolean {
  const { name = "", labels = {} } = metadata;
  if (!since("1.21") && /master(-...)?$/.test(name)) return false;
  return !since("1.19") || labels[exclusion] === undefined;
}

/** Upstream: `ComputeZoneState`. */
export function zoneState({ ready, notReady }: ZoneSize): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  const isUnhealthy = notReady > 2 && notReady / (notReady + ready) >= unhealthyZoneThreshold;
  return isUnhealthy ? "PartialDisruption" : "Normal";
}

/** How many nodes of a zone get a taint with the effect NoExecute in a second. Upstream: `setLimiterInZone`. */
export function taintRate(state: ZoneState, { ready, notReady }: ZoneSize): number {
  if (state !== "PartialDisruption") return evictionRate;
  return ready + notReady > largeClusterSizeThreshold ? secondaryEvictionRate : 0;
}

/** Limits a rate. */
export interface Limiter {
  /** How often in a second; 0 stands for never. */
  readonly rate: number;
  /** When the next time is allowed, in milliseconds since the epoch. */
  readonly next: number;
}

export const newLimiter: Limiter = { rate: evictionRate, next: 0 };

/** The limiter after a use. */
export function used({ rate }: Limiter, now: number): Limiter {
  return { rate, next: now + 1000 / rate };
}

/** A limiter with another rate. It has to wait if the former one had to. Upstream: `SwapLimiter` (scheduler/rate_limited_queue.go). */
export function swapped(former: Limiter, rate: number, now: number): Limiter {
  if (rate === former.rate) return former;
  if (rate === 0) return { rate, next: Number.POSITIVE_INFINITY };
  return now < former.next ? used({ rate, next: 0 }, now) : { rate, next: 0 };
}
