import { goQuote } from "../go/go-quote.ts";
import { formatShownJson, formatShownValue, type ShownValue } from "../go/go-value.ts";

/** The reasons of the causes in a 422 response, as upstream spells them. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One error of validation. `body` is the message without the field, for example `Required value: name is needed`. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A dotted path such as `spec.containers[0].name`; empty for the whole object. */
  readonly field: string;
  readonly body: string;
  /** The body since 1.34, where it differs because it shows the value as JSON. */
  readonly bodyAsJson?: string;
}

/** A value is missing. */
export function fieldRequired(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, body: detailed("Required value", detail) };
}

/** A value is malformed or breaks a rule. */
export function fieldInvalid(field: string, value: ShownValue, detail: string): FieldError {
  return showing("FieldValueInvalid", field, "Invalid value", value, detail);
}

/** A value breaks a rule; the message does not show it. */
export function fieldInvalidUnshown(field: string, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, body: detailed("Invalid value", detail) };
}

/** A value has the wrong type. */
export function fieldTypeInvalid(field: string, value: ShownValue, detail: string): FieldError {
  return showing("FieldValueTypeInvalid", field, "Invalid value", value, detail);
}

/** A value is not one of the supported ones, which the message lists in the given order. */
export function fieldNotSupported(
  field: string,
  value: ShownValue,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return showing("FieldValueNotSupported", field, "Unsupported value", value, detail);
}

/** A value must not be set here, or must not change. */
export function fieldForbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, body: detailed("Forbidden", detail) };
}

/** A value must be unique and is not. */
export function fieldDuplicate(field: string, value: ShownValue, detail = ""): FieldError {
  return showing("FieldValueDuplicate", field, "Duplicate value", value, detail);
}

/** A reference to something that does not exist. */
export function fieldNotFound(field: string, value: ShownValue, detail = ""): FieldError {
  return showing("FieldValueNotFound", field, "Not found", value, detail);
}

/** A text has more than `maximum` bytes. The message leaves out a negative maximum. */
export function fieldTooLong(field: string, maximum: number): FieldError {
  const detail = maximum >= 0 ? `may not be more than ${maximum} bytes` : "value is too long";
  return { type: "FieldValueTooLong", field, body: detailed("Too long", detail) };
}

/** A list has `actual` items, more than `maximum`. The message leaves out a negative number. */
export function fieldTooMany(field: string, actual: number, maximum: number): FieldError {
  const detail = maximum >= 0 ? `must have at most ${maximum} items` : "has too many items";
  const subject = actual >= 0 ? `Too many: ${actual}` : "Too many";
  return { type: "FieldValueTooMany", field, body: detailed(subject, detail) };
}

/** Validation itself failed. */
export function fieldInternal(field: string, text: string): FieldError {
  return { type: "InternalError", field, body: detailed("Internal error", text) };
}

/** A field error as one line: `spec.replicas: Invalid value: -1: ...`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${error.body}`;
}

/** All field errors as one text, without duplicates, as `utilerrors.Aggregate` in Go. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  return texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`;
}

function showing(
  type: FieldErrorType,
  field: string,
  subject: string,
  value: ShownValue,
  detail: string,
): FieldError {
  const body = detailed(`${subject}: ${formatShownValue(value)}`, detail);
  const bodyAsJson = detailed(`${subject}: ${formatShownJson(value)}`, detail);
  return bodyAsJson === body ? { type, field, body } : { type, field, body, bodyAsJson };
}

function detailed(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
