import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { numberAt, stringsAt, structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { newCondition, statusCondition, withoutCondition } from "../contract/conditions.ts";
import { readySince, untilAvailable } from "../pods/pod-state.ts";

/** What the status of a replica set says. */
export interface ObservedReplicas {
  readonly pods: readonly KubeObject[];
  /** The pods that terminate; undefined if the release does not count them. */
  readonly terminating: readonly KubeObject[] | undefined;
  /** The error of the last creations or deletions, if they failed. */
  readonly failure: unknown;
  readonly now: number;
}

/** The status of a ReplicaSet or ReplicationController. Upstream: `calculateStatus` (pkg/controller/replicaset/replica_set_utils.go). */
export function replicaSetStatus(object: KubeObject, observed: ObservedReplicas): JsonObject {
  const { pods, terminating, now } = observed;
  const labels = Object.entries(stringsAt(object, "spec", "template", "metadata", "labels"));
  const minReadySeconds = numberAt(object, "spec", "minReadySeconds");
  const isLabeled = ({ metadata }: KubeObject) =>
    labels.every(([key, value]) => metadata.labels?.[key] === value);
  const isAvailable = (pod: KubeObject) => untilAvailable(pod, minReadySeconds, now) === 0;
  const conditions = conditionsOf(object, observed);
  const counts = {
    fullyLabeledReplicas: pods.filter(isLabeled).length,
    readyReplicas: pods.filter((pod) => readySince(pod) !== undefined).length,
    availableReplicas: pods.filter(isAvailable).length,
  };
  return {
    replicas: pods.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(terminating !== undefined && { terminatingReplicas: terminating.length }),
    observedGeneration: object.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}

function conditionsOf(object: KubeObject, { failure, pods, now }: ObservedReplicas): readonly JsonObject[] {
  const status = structAt(object, "status");
  const others = withoutCondition(status, "ReplicaFailure");
  const known = statusCondition(status, "ReplicaFailure");
  if (failure === undefined) return others;
  if (known !== undefined) return [...others, known];
  const reason = pods.length < numberAt(object, "spec", "replicas") ? "FailedCreate" : "FailedDelete";
  const condition = { type: "ReplicaFailure", status: "True", reason, message: messageOf(failure) } as const;
  return [...others, newCondition(condition, now)];
}

/** Whether an object has this status already; Go's zero values and missing fields are the same. */
export function hasStatus(object: KubeObject, status: JsonObject): boolean {
  return jsonEqual(withoutZeros(structAt(object, "status")), withoutZeros(status));
}

function withoutZeros(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0));
}

/** In how many milliseconds the next ready pod becomes available; undefined if none will. */
export function nextAvailability(
  object: KubeObject,
  pods: readonly KubeObject[],
  now: number,
): number | undefined {
  const minReadySeconds = numberAt(object, "spec", "minReadySeconds");
  const left = pods.map((pod) => untilAvailable(pod, minReadySeconds, now) ?? 0).filter((one) => one > 0);
  return left.length > 0 ? Math.min(...left) : undefined;
}
