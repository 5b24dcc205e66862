import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { formatTime } from "../../../apimachinery/time.ts";

/** A condition of a pod without its times. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** The status of a pod with a condition added or replaced. `lastTransitionTime` changes only with its status. */
export function withPodCondition(status: JsonObject, condition: Condition, now: number): JsonObject {
  const conditions = listAt(status, "conditions");
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[at];
  const isSame = old !== undefined && old["status"] === condition.status;
  const lastTransitionTime = isSame ? (old["lastTransitionTime"] ?? null) : formatTime(now);
  const next: JsonObject = { ...condition, lastTransitionTime };
  const others = old === undefined ? [...conditions, next] : conditions.with(at, next);
  return { ...status, conditions: others };
}

/** Whether the pod has the condition Ready. */
export function isPodReady(pod: JsonObject): boolean {
  const status = objectAt(pod, "status") ?? {};
  return listAt(status, "conditions").some(({ type, status: is }) => type === "Ready" && is === "True");
}
