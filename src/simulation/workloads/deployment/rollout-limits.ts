import { numberAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { scaledValue } from "../contract/percent.ts";

/** How many pods a rolling update may add, and how many it may leave out. */
export interface RolloutLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * The limits of a Deployment; 0 without a rolling update. If both would be 0, one pod may be unavailable. Upstream: `MaxSurge`, `MaxUnavailable`
 * and `ResolveFenceposts` (pkg/controller/deployment/util/deployment_util.go).
 */
export function rolloutLimits(deployment: KubeObject): RolloutLimits {
  if (!isRolling(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = replicasOf(deployment);
  const strategy = (field: string) => valueAt(deployment, "spec", "strategy", "rollingUpdate", field);
  const maxSurge = scaledValue(strategy("maxSurge"), replicas, Math.ceil);
  const unavailable = scaledValue(strategy("maxUnavailable"), replicas, Math.floor);
  const least = maxSurge === 0 && unavailable === 0 ? 1 : unavailable;
  return { maxSurge, maxUnavailable: Math.min(least, replicas) };
}

export function isRolling(deployment: KubeObject): boolean {
  return textAt(deployment, "spec", "strategy", "type") === "RollingUpdate";
}

/** The number of pods in a spec. */
export function replicasOf(object: KubeObject): number {
  return numberAt(object, "spec", "replicas");
}

/** The sum of the numbers of pods in specs. */
export function totalReplicas(replicaSets: readonly KubeObject[]): number {
  return replicaSets.reduce((sum, one) => sum + replicasOf(one), 0);
}

/** The sum of a count in statuses. */
export function totalStatus(replicaSets: readonly KubeObject[], field: string): number {
  return replicaSets.reduce((sum, one) => sum + numberAt(one, "status", field), 0);
}

/** How many pods the new ReplicaSet of a Deployment should have now. Upstream: `NewRSNewReplicas`. */
export function newReplicaCount(deployment: KubeObject, all: readonly KubeObject[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + rolloutLimits(deployment).maxSurge - totalReplicas(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}
