import { textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** How dear a pod is to its set, when the set gets smaller. */
export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

/** The cost, if it is one that nobody can read. */
export function deletionCostProblem(pod: JsonObject): string | undefined {
  if (valueAt(pod, "metadata", "annotations", deletionCostAnnotation) === undefined) return undefined;
  const cost = textAt(pod, "metadata", "annotations", deletionCostAnnotation);
  return isCost(cost) ? undefined : cost;
}

/** A 32-bit integer without a plus or zeros in front; behind a minus anything goes. */
function isCost(text: string): boolean {
  if (!/^(0|[1-9]\d*|-\d+)$/.test(text)) return false;
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}
