import { fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addLabel, type Findings } from "../../../apimachinery/validation/findings.ts";

/** Validates a reference to parameters; without one, nothing. That of a class may have a namespace. */
export function addParametersReference(
  errors: Findings,
  reference: JsonObject | undefined,
  field: string,
): void {
  if (reference === undefined) return;
  for (const name of ["kind", "name"]) {
    if (textAt(reference, name) === "") errors.push(fieldRequired(child(field, name)));
  }
  const namespace = textAt(reference, "namespace");
  if (namespace !== "") addLabel(errors, namespace, child(field, "namespace"));
}
