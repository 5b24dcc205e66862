import { listAt, objectAt, textAt, textsAt } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { compareText } from "../text-order.ts";

/** A LabelSelector object in the format of `LabelSelector.String()` in Go, where a missing one is `nil`. */
export function goLabelSelector(selector: JsonObject | undefined): string {
  if (selector === undefined) return "nil";
  const labels = Object.entries(objectAt(selector, "matchLabels") ?? {}).sort(([a], [b]) =>
    compareText(a, b),
  );
  const matchLabels = labels.map(([key, value]) => `${key}: ${value},`).join("");
  const matchExpressions = listAt(selector, "matchExpressions").map(goRequirement).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${matchLabels}},MatchExpressions:[]LabelSelectorRequirement{${matchExpressions}},}`;
}

function goRequirement(expression: JsonObject): string {
  const values = textsAt(expression, "values").join(" ");
  return `LabelSelectorRequirement{Key:${textAt(expression, "key")},Operator:${textAt(expression, "operator")},Values:[${values}],},`;
}
