import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** The errors in the name of a provisioner. Upstream checks and shows it in lower case. */
export function provisionerErrors(provisioner: string, field: string): FieldError[] {
  if (provisioner === "") return [fieldRequired(field)];
  const name = provisioner.toLowerCase();
  return qualifiedNameMessages(name).map((message) => fieldInvalid(field, name, message));
}

/** The errors in `parameters`. */
export function parameterErrors(
  object: KubeObject,
  empty: "may be empty" | "may not be empty",
): FieldError[] {
  const field = "parameters";
  const parameters = objectAt(object, field) ?? {};
  const names = Object.keys(parameters);
  if (names.length > maxParameters) return [fieldTooLong(field, maxParameters)];
  const errors: FieldError[] = [];
  if (names.includes("")) errors.push(fieldInvalid(field, "", "field can not be empty."));
  const bytes = names.reduce((sum, name) => sum + utf8Length(name) + utf8Length(textAt(parameters, name)), 0);
  if (bytes > maxParameterBytes) errors.push(fieldTooLong(field, maxParameterBytes));
  if (empty === "may not be empty" && names.length === 0) {
    errors.push(fieldRequired(field, "must contain at least one key/value pair"));
  }
  return errors;
}
