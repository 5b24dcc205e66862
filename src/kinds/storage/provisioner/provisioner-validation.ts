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

/** What is wrong with the name of what makes volumes. It is checked, and shown, in lower case. */
export function provisionerErrors(provisioner: string, field: string): FieldError[] {
  if (provisioner === "") return [fieldRequired(field)];
  const name = provisioner.toLowerCase();
  return qualifiedNameMessages(name).map((message) => fieldInvalid(field, name, message));
}

/** What is wrong with `parameters`. */
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
