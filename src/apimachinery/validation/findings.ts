import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from "../errors/field.ts";
import type { Wording } from "../errors/wording.ts";
import type { ShownValue } from "../go/go-value.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "./names.ts";
import { qualifiedNameMessages } from "./qualified-names.ts";

/** The list that validation appends errors to, in upstream's order. */
export type Findings = FieldError[];

/** The errors that a validation adds to an empty list. */
export function collectErrors(validate: (errors: Findings) => void): readonly FieldError[] {
  const errors: Findings = [];
  validate(errors);
  return errors;
}

/** Adds errors that were collected before. A spread into `push` would fail for more than about 100,000 of them. */
export function addAll(errors: Findings, more: readonly FieldError[]): void {
  for (const error of more) errors.push(error);
}

/** Adds an Invalid error for each message. */
export function addInvalid(
  errors: Findings,
  field: string,
  value: ShownValue,
  messages: readonly Wording[],
): void {
  for (const message of messages) errors.push(fieldInvalid(field, value, message));
}

/** Validates a DNS label. */
export function addLabel(errors: Findings, value: string, field: string): void {
  addInvalid(errors, field, value, dnsLabelMessages(value));
}

/** Validates a DNS subdomain, which is the form of most names. */
export function addSubdomain(errors: Findings, value: string, field: string): void {
  addInvalid(errors, field, value, dnsSubdomainMessages(value));
}

/** Validates a qualified name, such as the type of a condition or a label key. */
export function addQualifiedName(errors: Findings, value: string, field: string): void {
  addInvalid(errors, field, value, qualifiedNameMessages(value));
}

/** Requires a supported value, if the value is set. */
export function addUnlessIn(
  errors: Findings,
  supported: readonly string[],
  value: JsonValue | undefined,
  field: string,
): void {
  if (value === undefined || (typeof value === "string" && supported.includes(value))) return;
  errors.push(fieldNotSupported(field, value, supported));
}

/** Requires a number that is not negative. */
export function addUnlessNonnegative(errors: Findings, value: number | bigint, field: string): void {
  if (value < 0) errors.push(fieldInvalid(field, value, "must be greater than or equal to 0"));
}

/** Rejects fields that are set, in this order. */
export function addForbiddenFields(
  errors: Findings,
  object: JsonObject | undefined,
  fields: readonly string[],
  detail: string,
  path: string,
): void {
  if (object === undefined) return;
  for (const field of fields) {
    if (object[field] !== undefined) errors.push(fieldForbidden(`${path}.${field}`, detail));
  }
}
