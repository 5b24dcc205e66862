import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { goLabelSelector } from "../../../apimachinery/selectors/go-label-selector.ts";
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
  return selector === undefined ? "<unset>" : goLabelSelector(selector);
}
