import { fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";

/** Validates a reference to an object by its kind and its name. */
export function addObjectReference(errors: Findings, reference: JsonObject, path: string): void {
  for (const field of ["kind", "name"]) {
    const value = textAt(reference, field);
    if (value === "") errors.push(fieldRequired(child(path, field)));
    else addInvalid(errors, child(path, field), value, pathSegmentName(value, "name"));
  }
}
