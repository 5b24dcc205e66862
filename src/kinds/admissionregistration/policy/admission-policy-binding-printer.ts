import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The rows of the bindings of validating and mutating admission policies. */
export const admissionPolicyBindingPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textAt(object, "spec", "policyName"),
    paramReference(objectAt(object, "spec", "paramRef")),
    ageOf(object, now),
  ],
};

/** A reference without a namespace shows `*`: the namespace depends on the request that is evaluated. */
function paramReference(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<unset>";
  const name = textAt(reference, "name");
  if (name !== "") return `${textAt(reference, "namespace") || "*"}/${name}`;
  const selector = objectAt(reference, "selector");
  return selector === undefined ? "<unset>" : goSelector(selector);
}

/** A label selector in the format of `LabelSelector.String()` in Go. */
function goSelector(selector: JsonObject): string {
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
