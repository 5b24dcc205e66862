import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
} from "../../apimachinery/errors/field.ts";
import type { Wording } from "../../apimachinery/errors/wording.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../apimachinery/selectors/label-selector-object.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";

/** The list that validation appends errors to, in upstream's order. */
export type Findings = FieldError[];

/** Adds an Invalid error for each message. */
export function addInvalid(
  errors: Findings,
  field: string,
  value: JsonValue | undefined,
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

/** Values that validation accepts because the stored object has such values already. */
export interface SelectorLeniency {
  readonly allowsInvalidValues: boolean;
}

/** Validates a label selector. */
export function addSelector(
  errors: Findings,
  selector: JsonValue | undefined,
  field: string,
  { allowsInvalidValues }: SelectorLeniency,
): void {
  for (const error of labelSelectorErrors(selector, field)) {
    const isValue = error.type === "FieldValueInvalid" && /\.values\[\d+\]$/.test(error.field);
    if (!isValue || !allowsInvalidValues) errors.push(error);
  }
}
