import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** The operators that every release has. */
export const tolerationOperators: readonly string[] = ["Equal", "Exists"];

/** The operators of the gate TaintTolerationComparisonOperators. */
export const comparisonOperators: readonly string[] = ["Lt", "Gt"];

/** Whether a toleration compares numbers. */
export function isComparison(toleration: JsonObject): boolean {
  return comparisonOperators.includes(textAt(toleration, "operator"));
}
