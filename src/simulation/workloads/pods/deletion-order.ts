import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isActive, readySince } from "./pod-state.ts";

const phases: readonly string[] = ["Pending", "Unknown", "Running"];

/** How replicas are compared. */
export interface DeletionOrder {
  readonly now: number;
  /** The gate PodDeletionCost. */
  readonly hasCosts: boolean;
  /** The gate LogarithmicScaleDown. */
  readonly isLogarithmic: boolean;
}

/** A negative number if the first pod is deleted before the second one, a positive number if after, otherwise 0. */
type Comparison = (a: KubeObject, b: KubeObject) => number;

/** The replicas to delete first: all of them, if there are no more than that. */
export function podsToDelete(
  pods: readonly KubeObject[],
  related: readonly KubeObject[],
  count: number,
  order: DeletionOrder,
): readonly KubeObject[] {
  return count >= pods.length ? pods : inDeletionOrder(pods, related, order).slice(0, count);
}

/**
 * The replicas, those to delete first at the beginning. `related` are the pods of all replica sets of the same controller: a pod that shares
 * its node with more of them goes earlier. Upstream: `ActivePodsWithRanks` (pkg/controller/controller_utils.go).
 */
export function inDeletionOrder(
  pods: readonly KubeObject[],
  related: readonly KubeObject[],
  order: DeletionOrder,
): readonly KubeObject[] {
  const onNodes = new Map<string, number>();
  for (const pod of related) {
    if (isActive(pod)) onNodes.set(nodeOf(pod), (onNodes.get(nodeOf(pod)) ?? 0) + 1);
  }
  const rankOf = (pod: KubeObject) => onNodes.get(nodeOf(pod)) ?? 0;
  const comparisons: readonly Comparison[] = [
    byFlag((pod) => nodeOf(pod) !== ""),
    (a, b) => phases.indexOf(textAt(a, "status", "phase")) - phases.indexOf(textAt(b, "status", "phase")),
    byFlag((pod) => readySince(pod) !== undefined),
    (a, b) => (order.hasCosts ? deletionCost(a) - deletionCost(b) : 0),
    (a, b) => rankOf(b) - rankOf(a),
    byAge((pod) => readySince(pod) ?? 0, order),
    (a, b) => restartsOf(b, "containers") - restartsOf(a, "containers"),
    (a, b) => restartsOf(b, "initContainers") - restartsOf(a, "initContainers"),
    byAge(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ""), order),
  ];
  const compare: Comparison = (a, b) => {
    for (const comparison of comparisons) {
      const result = comparison(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
  return pods.toSorted(compare);
}

function byFlag(flag: (pod: KubeObject) => boolean): Comparison {
  return (a, b) => Number(flag(a)) - Number(flag(b));
}

/** The younger one first. On a logarithmic scale, pods of a similar age are in the order of their uids, which is random. */
function byAge(timeOf: (pod: KubeObject) => number, { now, isLogarithmic }: DeletionOrder): Comparison {
  return (a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    if (first === second) return 0;
    if (!isLogarithmic) return second - first;
    const difference = magnitude(now - first) - magnitude(now - second);
    return difference !== 0 ? difference : compareUids(a, b);
  };
}

function compareUids(a: KubeObject, b: KubeObject): number {
  return (a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1;
}

/** The binary logarithm of an age in nanoseconds, rounded down. */
function magnitude(milliseconds: number): number {
  return milliseconds > 0 ? Math.floor(Math.log2(milliseconds * 1e6)) : -1;
}

function nodeOf(pod: KubeObject): string {
  return textAt(pod, "spec", "nodeName");
}

function deletionCost({ metadata }: KubeObject): number {
  const text = metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? "";
  return /^-?\d{1,10}$/.test(text) ? Number(text) : 0;
}

/** The most restarts of a container, or of a sidecar. Upstream: `maxContainerRestarts`. */
function restartsOf(pod: KubeObject, list: "containers" | "initContainers"): number {
  const isSidecar = ({ restartPolicy }: JsonObject) => restartPolicy === "Always";
  const counted = listAt(pod, "spec", list).filter((one) => list === "containers" || isSidecar(one));
  const names = new Set(counted.map(({ name }) => name));
  const statuses = listAt(
    pod,
    "status",
    list === "containers" ? "containerStatuses" : "initContainerStatuses",
  );
  const restarts = statuses
    .filter(({ name }) => list === "containers" || names.has(name))
    .map((one) => numberAt(one, "restartCount"));
  return Math.max(0, ...restarts);
}
