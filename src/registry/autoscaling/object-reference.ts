import { fieldRequired } from "../../apimachinery/field.ts";
import { child } from "../../apimachinery/field-path.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { pathSegmentName } from "../../apimachinery/names.ts";
import { addInvalid, type Findings } from "../core/pod-spec-validation/findings.ts";

/** An object that is named by its kind and its name. */
export function addObjectReference(errors: Findings, reference: JsonObject, path: string): void {
  for (const field of ["kind", "name"]) {
    const value = textAt(reference, field);
    if (value === "") errors.push(fieldRequired(child(path, field)));
    else addInvalid(errors, child(path, field), value, pathSegmentName(value, false));
  }
}
