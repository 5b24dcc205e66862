import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** Whether one of the tolerations tolerates a taint. Upstream: `Toleration.ToleratesTaint` in k8s.io/api/core/v1. */
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
  return (operator === "" || operator === "Equal") && textAt(toleration, "value") === textAt(taint, "value");
}
