import { numberAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { bySizeNewerFirst, bySizeOlderFirst } from "./replica-set-history.ts";
import { maxAnnotation, rememberedReplicas } from "./rollout-annotations.ts";
import { replicasOf, rolloutLimits, totalReplicas } from "./rollout-limits.ts";

/**
 * The new sizes of the active ReplicaSets of a Deployment that is scaled during a rollout: each gets its share, and the largest the rest. Upstream: `scale`
 * (pkg/controller/deployment/sync.go).
 *
 * | 10 replicas, max surge 3, 8 + 5 pods | scaled to 15 |
 * | --- | --- |
 * | 18 pods are allowed, 5 to add | 8 * 18 / 13 = 11: 3 more; 5 * 18 / 13 = 7: 2 more |
 */
export function proportionalSizes(
  deployment: KubeObject,
  active: readonly KubeObject[],
): readonly (readonly [replicaSet: KubeObject, size: number])[] {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + rolloutLimits(deployment).maxSurge : 0;
  const change = allowed - totalReplicas(active);
  const sorted = active.toSorted(change < 0 ? bySizeOlderFirst : bySizeNewerFirst);
  let added = 0;
  const sizes = sorted.map((replicaSet) => {
    const share = proportion(replicaSet, deployment, change, added);
    added += share;
    return replicasOf(replicaSet) + share;
  });
  return sorted.map((replicaSet, i) => {
    const size = (sizes[i] ?? 0) + (i === 0 ? change - added : 0);
    return [replicaSet, Math.max(0, size)];
  });
}

/** How many of the pods to add, or to remove, a ReplicaSet gets. Upstream: `GetReplicaSetProportion`. */
function proportion(replicaSet: KubeObject, deployment: KubeObject, change: number, added: number): number {
  if (replicasOf(replicaSet) === 0 || change === 0 || change === added) return 0;
  const share = fraction(replicaSet, deployment);
  return change > 0 ? Math.min(share, change - added) : Math.max(share, change - added);
}

function fraction(replicaSet: KubeObject, deployment: KubeObject): number {
  const current = replicasOf(replicaSet);
  const replicas = replicasOf(deployment);
  if (replicas === 0) return -current;
  const most = replicas + rolloutLimits(deployment).maxSurge;
  const before = rememberedReplicas(replicaSet, maxAnnotation) || numberAt(deployment, "status", "replicas");
  return before === 0 ? 0 : Math.round((current * most) / before) - current;
}
