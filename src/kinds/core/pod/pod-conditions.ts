import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";

/** A condition of a pod without its times. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/**
 * The field by which the status or a condition of a pod says which generation its writer has seen; nothing in releases that do not track it. Only
 * clients of the API write it. Upstream: `CalculatePodConditionObservedGeneration` (pkg/api/v1/pod/util.go).
 */
export function observedGeneration(
  { metadata: { generation } }: KubeObject,
  gates: FeatureGates,
): { readonly observedGeneration?: number } {
  if (generation === undefined || !gates.isEnabled("PodObservedGenerationTracking")) return {};
  return { observedGeneration: generation };
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
