import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/**
 * Whether one of the tolerations tolerates a taint. Upstream: `Toleration.ToleratesTaint` in k8s.io/api/core/v1, which compares
 * only if the gate TaintTolerationComparisonOperators is on; here, pods that have comparisons were created while it was.
 */
export function isTolerated(taint: JsonObject, tolerations: readonly JsonObject[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const effect = textAt(toleration, "effect");
  if (effect !== "" && effect !== taint["effect"]) return false;
  const key = textAt(toleration, "key");
  if (key !== "" && key !== taint["key"]) return false;
  const operator = textAt(toleration, "operator");
  if (operator === "Exists") return true;
  if (operator === "Lt" || operator === "Gt") return compares(taint, operator, toleration);
  return (operator === "" || operator === "Equal") && textAt(toleration, "value") === textAt(taint, "value");
}

const integer = /^(0|-?[1-9][0-9]{0,18})$/;

function compares(taint: JsonObject, operator: "Lt" | "Gt", toleration: JsonObject): boolean {
  const [value, bound] = [textAt(taint, "value"), textAt(toleration, "value")];
  if (!integer.test(value) || !integer.test(bound)) return false;
  return operator === "Lt" ? BigInt(value) < BigInt(bound) : BigInt(value) > BigInt(bound);
}
