import { objectAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const ingressClassPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textAt(object, "spec", "controller"),
    parameters(objectAt(object, "spec", "parameters")),
    ageOf(object, now),
  ],
};

/** The parameters as `Kind.group/name`. */
function parameters(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<none>";
  const kind = textAt(reference, "kind");
  const group = valueAt(reference, "apiGroup");
  const type = typeof group === "string" ? `${kind}.${group}` : kind;
  return `${type}/${textAt(reference, "name")}`;
}
