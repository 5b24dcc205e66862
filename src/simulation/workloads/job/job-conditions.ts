import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";

/** Why a Job ends, or how it is suspended. */
export interface JobCondition {
  readonly type: "Complete" | "Failed" | "SuccessCriteriaMet" | "FailureTarget" | "Suspended";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The condition of a type that is true. */
export function trueCondition(job: KubeObject, type: string): JobCondition | undefined {
  const found = listAt(job, "status", "conditions").find(
    (one) => one["type"] === type && one["status"] === "True",
  );
  if (found === undefined) return undefined;
  const [reason, message] = [textAt(found, "reason"), textAt(found, "message")];
  // The caller names one of the types.
  return { type: type as JobCondition["type"], status: "True", reason, message };
}

/** Whether a Job has ended. */
export function isJobFinished(job: KubeObject): boolean {
  return trueCondition(job, "Complete") !== undefined || trueCondition(job, "Failed") !== undefined;
}

/** A condition as it is written, in the order of Go's fields. */
export function writtenCondition({ type, status, reason, message }: JobCondition, now: number): JsonObject {
  const time = formatTime(now);
  return {
    type,
    status,
    lastProbeTime: time,
    lastTransitionTime: time,
    ...(reason !== "" && { reason }),
    ...(message !== "" && { message }),
  };
}
