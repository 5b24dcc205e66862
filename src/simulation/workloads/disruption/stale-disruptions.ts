import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { observedGeneration, withPodCondition } from "../../../kinds/core/pod/pod-conditions.ts";
import { pods } from "../contract/core-resources.ts";
import { isTerminating } from "../contract/object-key.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { isFinished } from "../pods/pod-state.ts";

/** How long a pod may keep the condition DisruptionTarget without being deleted, in milliseconds. */
const staleTimeout = 120_000;

/** When the condition DisruptionTarget of a pod is stale unless the pod is deleted before; undefined for a pod without it. */
export function staleTime(pod: KubeObject): number | undefined {
  const condition = listAt(pod, "status", "conditions").find(({ type }) => type === "DisruptionTarget");
  if (condition?.["status"] !== "True" || isTerminating(pod) || isFinished(pod)) return undefined;
  // The kubelet may take as long as it likes.
  if (condition["reason"] === "TerminationByKubelet") return undefined;
  return (Date.parse(textAt(condition, "lastTransitionTime")) || 0) + staleTimeout;
}

/**
 * Sets a stale condition to False, and returns the milliseconds until it is stale if it is not yet. Upstream: `syncStalePodDisruption`
 * (pkg/controller/disruption/disruption.go).
 */
export async function resetStaleDisruption(
  environment: WorkloadEnvironment,
  pod: KubeObject,
): Promise<number | undefined> {
  const now = environment.clock.now();
  const time = staleTime(pod);
  if (time === undefined || time > now) return time && time - now;
  const seen = observedGeneration(pod, environment.gates);
  const condition = { type: "DisruptionTarget", status: "False", ...seen } as const;
  await updateStatus(environment, pods, pod, withPodCondition(structAt(pod, "status"), condition, now));
  return undefined;
}
