import { fieldInvalid, fieldRequired, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Adds the errors in the name of a provisioner. Upstream checks and shows it in lower case. */
export function addProvisionerErrors(errors: Findings, provisioner: string, field: string): void {
  if (provisioner === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const name = provisioner.toLowerCase();
  addInvalid(errors, field, name, qualifiedNameMessages(name));
}

/** Adds the errors in `parameters`. */
export function addParameterErrors(
  errors: Findings,
  object: KubeObject,
  empty: "may be empty" | "may not be empty",
): void {
  const field = "parameters";
  const parameters = objectAt(object, field) ?? {};
  const names = Object.keys(parameters);
  if (names.length > maxParameters) {
    errors.push(fieldTooLong(field, maxParameters));
    return;
  }
  if (names.includes("")) errors.push(fieldInvalid(field, "", "field can not be empty."));
  const bytes = names.reduce((sum, name) => sum + utf8Length(name) + utf8Length(textAt(parameters, name)), 0);
  if (bytes > maxParameterBytes) errors.push(fieldTooLong(field, maxParameterBytes));
  if (empty === "may not be empty" && names.length === 0) {
    errors.push(fieldRequired(field, "must contain at least one key/value pair"));
  }
}
