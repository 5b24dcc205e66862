import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { conditionOf } from "../pods/pod-state.ts";

/** When a pod ended, in milliseconds since the epoch. Upstream: `getFinishedTime` (pkg/controller/job/backoff_utils.go). */
export function finishedTime(pod: KubeObject): number {
  const sidecars = new Set(
    listAt(pod, "spec", "initContainers").flatMap(({ name, restartPolicy }) =>
      restartPolicy === "Always" ? [name] : [],
    ),
  );
  const initial = listAt(pod, "status", "initContainerStatuses").filter(({ name }) => sidecars.has(name));
  const statuses = [...listAt(pod, "status", "containerStatuses"), ...initial];
  const times = statuses.map((one) => Date.parse(textAt(one, "state", "terminated", "finishedAt")));
  if (times.length > 0 && !times.some(Number.isNaN)) return Math.max(...times);
  const ready = conditionOf(pod, "Ready");
  const transition = Date.parse(textAt(ready ?? {}, "lastTransitionTime"));
  if (ready?.["status"] === "False" && !Number.isNaN(transition)) return transition;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp ?? "") || 0;
}

/** The restarts of the containers of a pod. */
export function restartsOf(pod: KubeObject): number {
  const statuses = [
    ...listAt(pod, "status", "initContainerStatuses"),
    ...listAt(pod, "status", "containerStatuses"),
  ];
  return statuses.reduce((sum, one) => sum + numberAt(one, "restartCount"), 0);
}
