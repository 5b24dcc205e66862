import { textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** The annotation with the cost of the deletion of a pod, which ReplicaSets consider when they scale down. */
export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

/** The value of the annotation, if it is not valid. */
export function deletionCostProblem(pod: JsonObject): string | undefined {
  if (valueAt(pod, "metadata", "annotations", deletionCostAnnotation) === undefined) return undefined;
  const cost = textAt(pod, "metadata", "annotations", deletionCostAnnotation);
  return isCost(cost) ? undefined : cost;
}

/**
 * Whether a text is a 32-bit integer without a plus sign or leading zeros. Upstream accepts zeros after a minus sign.
 */
function isCost(text: string): boolean {
  if (!/^(0|[1-9]\d*|-\d+)$/.test(text)) return false;
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}
