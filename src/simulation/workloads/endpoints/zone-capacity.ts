import { stringsAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { conditionOf } from "../pods/pod-state.ts";

/** The share of each zone in the CPUs of all zones. */
export type ZoneShares = ReadonlyMap<string, number>;

/** How many endpoints should serve a zone. */
export interface Allocation {
  readonly desired: number;
  /** More endpoints would leave another zone with too few. */
  readonly most: number;
}

/** How much more traffic than the average an endpoint may get. */
const mostOverload = 0.2;

/** Nodes with these labels do not count. */
const excluded = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/** Undefined if one of the nodes does not say what it has, or there is only one zone. Upstream: `SetNodes` (staging/src/k8s.io/endpointslice/topologycache). */
export function zoneShares(nodes: readonly KubeObject[]): ZoneShares | undefined {
  const cpus = new Map<string, number>();
  for (const node of nodes) {
    const labels = stringsAt(node, "metadata", "labels");
    if (excluded.some((label) => labels[label] !== undefined)) continue;
    if (conditionOf(node, "Ready")?.["status"] !== "True") continue;
    const cpu = Number(parseQuantity(textAt(node, "status", "allocatable", "cpu") || "0").milliValue());
    const zone = labels["topology.kubernetes.io/zone"] ?? "";
    if (zone === "" || cpu === 0) return undefined;
    cpus.set(zone, (cpus.get(zone) ?? 0) + cpu);
  }
  if (cpus.size < 2) return undefined;
  const all = [...cpus.values()].reduce((sum, cpu) => sum + cpu, 0);
  return new Map([...cpus].map(([zone, cpu]) => [zone, cpu / all]));
}

/** How many endpoints each zone should get, or why that cannot be. Upstream: `getAllocations`. */
export function allocations(
  shares: ZoneShares | undefined,
  endpoints: number,
): ReadonlyMap<string, Allocation> | string {
  if (shares === undefined)
    return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  const numbers = `(${endpoints} endpoints, ${shares.size} zones)`;
  if (shares.size > endpoints) return `Insufficient number of endpoints ${numbers}`;
  const least = (share: number) => leastEndpoints(share * endpoints);
  const spare = [...shares.values()].reduce((left, share) => left - least(share), endpoints);
  if (spare < 0) {
    const problem =
      "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold";
    return `${problem} ${numbers}`;
  }
  const allocation = (share: number) => ({
    desired: Math.max(share * endpoints, least(share)),
    most: least(share) + spare,
  });
  return new Map([...shares].map(([zone, share]) => [zone, allocation(share)]));
}

/** Whether a zone has too few endpoints. Upstream: `serviceOverloaded`. */
export function isOverloaded(
  endpoints: ReadonlyMap<string, number>,
  shares: ZoneShares | undefined,
): boolean {
  if (endpoints.size === 0) return false;
  if (shares === undefined) return true;
  const all = [...endpoints.values()].reduce((sum, number) => sum + number, 0);
  return [...shares].some(([zone, share]) => {
    const found = endpoints.get(zone);
    return found === undefined || found < leastEndpoints(all * share);
  });
}

function leastEndpoints(desired: number): number {
  return Math.ceil(desired * (1 / (1 + mostOverload)));
}
