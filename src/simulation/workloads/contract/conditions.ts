import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { formatTime } from "../../../apimachinery/time.ts";

/** A condition of a workload without its times. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a status without those of a type. */
export function withoutCondition(status: JsonObject, type: string): readonly JsonObject[] {
  return listAt(status, "conditions").filter((condition) => condition["type"] !== type);
}

/** The condition of a type, if the status has one. */
export function statusCondition(status: JsonObject, type: string): JsonObject | undefined {
  return listAt(status, "conditions").find((condition) => condition["type"] === type);
}

/** A new condition, in the order of Go's fields. */
export function newCondition({ type, status, reason, message }: WorkloadCondition, now: number): JsonObject {
  return { type, status, lastTransitionTime: formatTime(now), reason, message };
}
