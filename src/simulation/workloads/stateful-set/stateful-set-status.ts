import { numberAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";
import { readySince, untilAvailable } from "../pods/pod-state.ts";
import { revisionLabel } from "./stateful-set-identity.ts";
import type { StatefulSetRevisions } from "./stateful-set-revisions.ts";

/** Whether a pod runs and is ready. */
export function isRunningAndReady(pod: KubeObject): boolean {
  return textAt(pod, "status", "phase") === "Running" && readySince(pod) !== undefined;
}

/** Whether a pod runs and has been ready long enough. */
export function isRunningAndAvailable(set: KubeObject, pod: KubeObject, now: number): boolean {
  const minReadySeconds = numberAt(set, "spec", "minReadySeconds");
  return isRunningAndReady(pod) && untilAvailable(pod, minReadySeconds, now) === 0;
}

/** Whether a pod runs, is ready and stays. */
export function isHealthy(pod: KubeObject): boolean {
  return isRunningAndReady(pod) && !isTerminating(pod);
}

/** The name of the revision that a pod was made from. */
export function podRevision({ metadata }: KubeObject): string {
  return metadata.labels?.[revisionLabel] ?? "";
}

/**
 * The status of a set. `deleted` pods of the current revision have just been deleted. Once all pods are updated and ready, the update revision becomes the current one. Upstream: `updateStatus` and
 * `completeRollingUpdate` (pkg/controller/statefulset).
 */
export function statefulSetStatus(
  set: KubeObject,
  pods: readonly KubeObject[],
  { current, update, collisionCount }: StatefulSetRevisions,
  now: number,
  deleted: number,
): JsonObject {
  const staying = pods.filter((pod) => !isTerminating(pod));
  const count = (revision: KubeObject) =>
    staying.filter((pod) => podRevision(pod) === revision.metadata.name).length;
  const ready = pods.filter(isRunningAndReady).length;
  const updated = count(update);
  const isRolling = textAt(set, "spec", "updateStrategy", "type") === "RollingUpdate";
  const isComplete =
    isRolling && [updated, ready, pods.length].every((one) => one === numberAt(set, "spec", "replicas"));
  const currentReplicas = isComplete ? updated : count(current) - deleted;
  const currentRevision = (isComplete ? update : current).metadata.name ?? "";
  const available = pods.filter((pod) => isRunningAndAvailable(set, pod, now)).length;
  const { conditions } = structAt(set, "status");
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    ...(ready > 0 && { readyReplicas: ready }),
    ...(currentReplicas !== 0 && { currentReplicas }),
    ...(updated > 0 && { updatedReplicas: updated }),
    currentRevision,
    updateRevision: update.metadata.name ?? "",
    collisionCount,
    ...(conditions !== undefined && { conditions }),
    availableReplicas: available,
  };
}
