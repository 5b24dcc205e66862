import { listAt, numberAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { statusCondition, type WorkloadCondition, withoutCondition } from "../contract/conditions.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { allOf, type ReplicaSets } from "./replica-set-history.ts";
import { replicasOf, rolloutLimits, totalReplicas, totalStatus } from "./rollout-limits.ts";

const noDeadline = 2 ** 31 - 1;

type StatusEnvironment = Pick<WorkloadEnvironment, "clock" | "gates">;

/** Whether the Deployment has a progress deadline. */
export function hasDeadline(deployment: KubeObject): boolean {
  const seconds = structAt(deployment, "spec")["progressDeadlineSeconds"];
  return typeof seconds === "number" && seconds !== noDeadline;
}

/** The counts and the condition Available. Upstream: `calculateStatus` (pkg/controller/deployment/sync.go). */
export function countedStatus(
  deployment: KubeObject,
  sets: ReplicaSets,
  { clock, gates }: StatusEnvironment,
): JsonObject {
  const all = allOf(sets);
  const available = totalStatus(all, "availableReplicas");
  const old = structAt(deployment, "status");
  const terminating = gates.isEnabled("DeploymentReplicaSetTerminatingReplicas") && areTerminatingKnown(all);
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: totalStatus(all, "replicas"),
    updatedReplicas: sets.newest === undefined ? 0 : totalStatus([sets.newest], "replicas"),
    readyReplicas: totalStatus(all, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalReplicas(all) - available),
  };
  const status = {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(terminating && { terminatingReplicas: totalStatus(all, "terminatingReplicas") }),
    conditions: listAt(old, "conditions"),
    ...(old["collisionCount"] !== undefined && { collisionCount: old["collisionCount"] }),
  };
  const isAvailable = available >= replicasOf(deployment) - rolloutLimits(deployment).maxUnavailable;
  return withCondition(status, isAvailable ? minimumAvailable : minimumUnavailable, clock.now());
}

/** Whether all ReplicaSets that their controller has seen count their pods that terminate. Upstream: `GetTerminatingReplicaCountForReplicaSets`. */
function areTerminatingKnown(all: readonly KubeObject[]): boolean {
  const seen = all
    .map((one) => structAt(one, "status"))
    .filter((one) => one["observedGeneration"] !== undefined);
  return seen.every((status) => status["terminatingReplicas"] !== undefined);
}

const minimumAvailable: WorkloadCondition = {
  type: "Available",
  status: "True",
  reason: "MinimumReplicasAvailable",
  message: "Deployment has minimum availability.",
};

const minimumUnavailable: WorkloadCondition = {
  type: "Available",
  status: "False",
  reason: "MinimumReplicasUnavailable",
  message: "Deployment does not have minimum availability.",
};

/** A status with a condition. One with the same status and reason stays as it is. Upstream: `SetDeploymentCondition`. */
export function withCondition(status: JsonObject, condition: WorkloadCondition, now: number): JsonObject {
  const known = statusCondition(status, condition.type);
  const isSame = known?.["status"] === condition.status;
  if (isSame && known?.["reason"] === condition.reason) return status;
  const transition = isSame ? textAt(known ?? {}, "lastTransitionTime") : formatTime(now);
  return withUpdatedCondition(status, condition, now, transition);
}

function withUpdatedCondition(
  status: JsonObject,
  { type, status: is, reason, message }: WorkloadCondition,
  now: number,
  lastTransitionTime: string,
): JsonObject {
  const updated = { type, status: is, lastUpdateTime: formatTime(now), lastTransitionTime, reason, message };
  return { ...status, conditions: [...withoutCondition(status, type), updated] };
}

/** Whether all pods are updated and available. */
export function isComplete(deployment: KubeObject, status: JsonObject): boolean {
  const replicas = replicasOf(deployment);
  return (
    numberAt(status, "updatedReplicas") === replicas &&
    numberAt(status, "replicas") === replicas &&
    numberAt(status, "availableReplicas") === replicas &&
    numberAt(status, "observedGeneration") >= (deployment.metadata.generation ?? 0)
  );
}

function isProgressing(deployment: KubeObject, next: JsonObject): boolean {
  const last = structAt(deployment, "status");
  const count = (field: string) => numberAt(next, field) - numberAt(last, field);
  const isOneMore = ["updatedReplicas", "readyReplicas", "availableReplicas"].some((one) => count(one) > 0);
  return isOneMore || count("replicas") < count("updatedReplicas");
}

/** How many milliseconds are left until the deadline; undefined if none runs. */
function untilDeadline(deployment: KubeObject, status: JsonObject, now: number): number | undefined {
  const condition = statusCondition(status, "Progressing");
  if (condition === undefined || !hasDeadline(deployment)) return undefined;
  const seconds = numberAt(deployment, "spec", "progressDeadlineSeconds");
  return Date.parse(textAt(condition, "lastUpdateTime")) + seconds * 1000 - now;
}

const available = "NewReplicaSetAvailable";
const exceeded = "ProgressDeadlineExceeded";

function isTimedOut(deployment: KubeObject, status: JsonObject, now: number): boolean {
  const reason = textAt(statusCondition(status, "Progressing") ?? {}, "reason");
  if (reason === available) return false;
  return reason === exceeded || (untilDeadline(deployment, status, now) ?? 0) < 0;
}

/** The status during a rollout, with the conditions Progressing and ReplicaFailure. Upstream: `syncRolloutStatus` (pkg/controller/deployment/progress.go). */
export function rolloutStatus(
  deployment: KubeObject,
  sets: ReplicaSets,
  environment: StatusEnvironment,
): JsonObject {
  const counted = countedStatus(deployment, sets, environment);
  const progressed = hasDeadline(deployment)
    ? withProgress(deployment, counted, sets, environment.clock.now())
    : { ...counted, conditions: withoutCondition(counted, "Progressing") };
  const failure = replicaFailure(sets);
  if (failure === undefined)
    return { ...progressed, conditions: withoutCondition(progressed, "ReplicaFailure") };
  return withReplicaFailure(progressed, failure);
}

function withProgress(
  deployment: KubeObject,
  status: JsonObject,
  { newest }: ReplicaSets,
  now: number,
): JsonObject {
  const known = statusCondition(status, "Progressing");
  const isDone = numberAt(status, "replicas") === numberAt(status, "updatedReplicas");
  if (isDone && known?.["reason"] === available) return status;
  const name =
    newest === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newest.metadata.name}"`;
  const progressing = { type: "Progressing", status: "True" } as const;
  if (isComplete(deployment, status)) {
    const message = `${name} has successfully progressed.`;
    return withCondition(status, { ...progressing, reason: available, message }, now);
  }
  if (isProgressing(deployment, status)) {
    const message = `${name} is progressing.`;
    const isTrue = known?.["status"] === "True";
    const transition = isTrue ? textAt(known ?? {}, "lastTransitionTime") : formatTime(now);
    const condition = { ...progressing, reason: "ReplicaSetUpdated", message };
    return withUpdatedCondition(status, condition, now, transition);
  }
  if (!isTimedOut(deployment, status, now)) return status;
  const message = `${name} has timed out progressing.`;
  return withCondition(status, { type: "Progressing", status: "False", reason: exceeded, message }, now);
}

/** The first failure of the new ReplicaSet, or else of an old one. */
function replicaFailure({ newest, old }: ReplicaSets): JsonObject | undefined {
  for (const one of newest === undefined ? old : [newest, ...old]) {
    const failure = statusCondition(structAt(one, "status"), "ReplicaFailure");
    if (failure?.["status"] === "True") return failure;
  }
  return undefined;
}

function withReplicaFailure(status: JsonObject, failure: JsonObject): JsonObject {
  const known = statusCondition(status, "ReplicaFailure");
  if (known?.["status"] === failure["status"] && known?.["reason"] === failure["reason"]) return status;
  const { type = "", status: is = "", lastTransitionTime = "", reason = "", message = "" } = failure;
  const condition = {
    type,
    status: is,
    lastUpdateTime: lastTransitionTime,
    lastTransitionTime,
    reason,
    message,
  };
  return { ...status, conditions: [...withoutCondition(status, "ReplicaFailure"), condition] };
}

/**
 * When to look again whether the deadline has passed, in milliseconds; undefined if none runs. Upstream: `requeueStuckDeployment`, which also looks
 * again at a Deployment that has lost pods after its rollout, in vain.
 */
export function deadlineCheck(deployment: KubeObject, status: JsonObject, now: number): number | undefined {
  const reason = textAt(statusCondition(status, "Progressing") ?? {}, "reason");
  if (isComplete(deployment, status) || reason === available || reason === exceeded) return undefined;
  const left = untilDeadline(deployment, status, now);
  return left === undefined ? undefined : Math.max(0, left) + 1000;
}
