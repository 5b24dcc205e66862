import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";

/** Whether a pod has terminated. */
export function isFinished(pod: KubeObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed";
}

/** Whether a pod counts as a replica. Upstream: `IsPodActive` (pkg/controller/controller_utils.go). */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

/** A condition of an object's status, if it has one of this type. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  return listAt(object, "status", "conditions").find((condition) => condition["type"] === type);
}

/** Since when a pod is ready, in milliseconds since the epoch; undefined if it is not ready. */
export function readySince(pod: KubeObject): number | undefined {
  const condition = conditionOf(pod, "Ready");
  if (condition?.["status"] !== "True") return undefined;
  const since = Date.parse(textAt(condition, "lastTransitionTime"));
  return Number.isNaN(since) ? 0 : since;
}

/**
 * How many milliseconds are left until a pod is available: 0 if it is, undefined if it is not ready. Upstream:
 * `IsPodAvailable` (pkg/api/v1/pod/util.go).
 */
export function untilAvailable(pod: KubeObject, minReadySeconds: number, now: number): number | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1000 - now);
}
