import { objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const validatingAdmissionPolicyPrinter: Printer = policyPrinter("validations");

export const mutatingAdmissionPolicyPrinter: Printer = policyPrinter("mutations");

/** `field` is the list in the spec whose items are counted. */
function policyPrinter(field: "validations" | "mutations"): Printer {
  return {
    cells: (object, now) => [
      nameOf(object),
      sizeAt(object, "spec", field),
      paramKind(object),
      ageOf(object, now),
    ],
  };
}

function paramKind(object: KubeObject): string {
  const kind = objectAt(object, "spec", "paramKind");
  return kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
}
