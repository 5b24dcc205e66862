import { goQuote } from "../go/go-quote.ts";
import type { GoTypes } from "../go/go-shape.ts";
import { goShapeJson } from "../go/go-shape-json.ts";
import { goShapeText } from "../go/go-shape-text.ts";
import { formatShownJson, formatShownValue, type ShownValue, TypedValue } from "../go/go-value.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Since } from "../release.ts";
import { aggregateText } from "./aggregate.ts";
import { valueAtField, withEmptyValues } from "./sent-value.ts";
import { type Wording, worded, wordingIn } from "./wording.ts";

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
  readonly body: FieldBody;
}

/** The message of a field error, which may show a value by its Go type. */
export type FieldBody = string | TypedWording;

/**
 * A text that shows a value by its Go type in a release, as the client has sent it. `sent` is what the client has sent at the
 * field of the error, if it is known.
 */
export type TypedWording = (since: Since, goTypes: GoTypes, sent?: JsonValue) => string;

/** A field error with the wording of the served release, or with one that all releases have in common. */
export interface FieldCause extends FieldError {
  readonly body: string;
}

/** A value that all releases show in the same way. */
type PlainValue = string | number | bigint | boolean;

/** A value is missing. */
export function fieldRequired(field: string, detail?: string): FieldCause;
export function fieldRequired(field: string, detail: Wording): FieldError;
export function fieldRequired(field: string, detail: Wording = ""): FieldError {
  return { type: "FieldValueRequired", field, body: detailed("Required value", detail) };
}

/** A value is malformed or breaks a rule. */
export function fieldInvalid(field: string, value: PlainValue, detail: string): FieldCause;
export function fieldInvalid(field: string, value: ShownValue, detail: Wording): FieldError;
export function fieldInvalid(field: string, value: ShownValue, detail: Wording): FieldError {
  return showing("FieldValueInvalid", field, "Invalid value", value, detail);
}

/** A value breaks a rule; the message does not show it. */
export function fieldInvalidUnshown(field: string, detail: string): FieldCause {
  return { type: "FieldValueInvalid", field, body: detailed("Invalid value", detail) };
}

/** A value has the wrong type. */
export function fieldTypeInvalid(field: string, value: PlainValue, detail: string): FieldCause;
export function fieldTypeInvalid(field: string, value: ShownValue, detail: string): FieldError;
export function fieldTypeInvalid(field: string, value: ShownValue, detail: string): FieldError {
  return showing("FieldValueTypeInvalid", field, "Invalid value", value, detail);
}

/** A value is not one of the supported ones, which the message lists in the given order. */
export function fieldNotSupported(field: string, value: PlainValue, supported: readonly string[]): FieldCause;
export function fieldNotSupported(field: string, value: ShownValue, supported: readonly string[]): FieldError;
export function fieldNotSupported(
  field: string,
  value: ShownValue,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return showing("FieldValueNotSupported", field, "Unsupported value", value, detail);
}

/** A value must not be set here, or must not change. */
export function fieldForbidden(field: string, detail: string): FieldCause;
export function fieldForbidden(field: string, detail: string | TypedWording): FieldError;
export function fieldForbidden(field: string, detail: string | TypedWording): FieldError {
  const body: FieldBody =
    typeof detail === "string"
      ? detailed("Forbidden", detail)
      : (since, goTypes) => detailed("Forbidden", detail(since, goTypes));
  return { type: "FieldValueForbidden", field, body };
}

/** A value must be unique and is not. */
export function fieldDuplicate(field: string, value: PlainValue, detail?: string): FieldCause;
export function fieldDuplicate(field: string, value: ShownValue, detail?: string): FieldError;
export function fieldDuplicate(field: string, value: ShownValue, detail = ""): FieldError {
  return showing("FieldValueDuplicate", field, "Duplicate value", value, detail);
}

/** A reference to something that does not exist. */
export function fieldNotFound(field: string, value: PlainValue, detail?: string): FieldCause;
export function fieldNotFound(field: string, value: ShownValue, detail?: string): FieldError;
export function fieldNotFound(field: string, value: ShownValue, detail = ""): FieldError {
  return showing("FieldValueNotFound", field, "Not found", value, detail);
}

/** A text has more than `maximum` bytes. The message leaves out a negative maximum. */
export function fieldTooLong(field: string, maximum: number): FieldError {
  const detail: Wording = maximum >= 0 ? (since) => tooLong(since, maximum) : "value is too long";
  return { type: "FieldValueTooLong", field, body: detailed("Too long", detail) };
}

/** A list, or a text, is longer than `maximum`: the words of `TooLongMaxLength`. */
export function fieldLongerThan(field: string, maximum: number): FieldError {
  return {
    type: "FieldValueTooLong",
    field,
    body: detailed("Too long", `may not be longer than ${maximum}`),
  };
}

/** A list has `actual` items, more than `maximum`. The message leaves out a negative number. */
export function fieldTooMany(field: string, actual: number, maximum: number): FieldError {
  const detail = maximum >= 0 ? atMost(maximum) : "has too many items";
  const subject = actual >= 0 ? `Too many: ${actual}` : "Too many";
  return { type: "FieldValueTooMany", field, body: detailed(subject, detail) };
}

/** Since 1.34, one item is singular. */
function atMost(maximum: number): Wording {
  const many = `must have at most ${maximum} items`;
  return maximum === 1 ? (since) => (since("1.34") ? "must have at most 1 item" : many) : many;
}

/** Validation itself failed. */
export function fieldInternal(field: string, text: string): FieldCause {
  return { type: "InternalError", field, body: detailed("Internal error", text) };
}

/**
 * How many characters the bodies of all errors together may have. Upstream has no limit: errors that show a whole list,
 * such as one for each scope of a ResourceQuota or each controlling owner, make its answer quadratic in the request.
 */
const longestBodies = 8 * 1024 * 1024;

/**
 * The field errors with the wording and the Go types of a release. If they become too long, the last one says how many
 * are left out. `sent` is the object with the empty lists and maps that the client has sent: Go tells them from missing ones.
 */
export function fieldCauses(
  errors: readonly FieldError[],
  since: Since,
  goTypes: GoTypes,
  sent?: JsonObject,
): readonly FieldCause[] {
  const causes: FieldCause[] = [];
  let length = 0;
  for (const { type, field, body } of errors) {
    if (length > longestBodies) {
      causes.push({ type, field, body: `${errors.length - causes.length} more errors are not shown` });
      break;
    }
    const text = typeof body === "string" ? body : body(since, goTypes, sent && valueAtField(sent, field));
    length += field.length + text.length;
    causes.push({ type, field, body: text });
  }
  return causes;
}

/** A field error as one line: `spec.replicas: Invalid value: -1: ...`. */
export function formatFieldError({ field, body }: FieldCause): string {
  return `${field}: ${body}`;
}

/** All field errors as one text, without duplicates. */
export function aggregateMessage(errors: readonly FieldCause[]): string {
  return aggregateText(errors.map(formatFieldError));
}

/** Since 1.34, the message shows the value as JSON. Before, it shows it in Go syntax. */
function showing(
  type: FieldErrorType,
  field: string,
  subject: string,
  value: ShownValue,
  detail: Wording,
): FieldError {
  if (value instanceof TypedValue) {
    const body: FieldBody = (since, goTypes, sent) => {
      const text = typedText(new TypedValue(value.type, withEmptyValues(value.value, sent)), since, goTypes);
      return detailed(`${subject}: ${text}`, wordingIn(since, detail));
    };
    return { type, field, body };
  }
  const shown: Wording = isPlain(value)
    ? formatShownValue(value)
    : (since) => (since("1.34") ? formatShownJson(value) : formatShownValue(value));
  return { type, field, body: detailed(worded`${subject}: ${shown}`, detail) };
}

function typedText({ type, value }: TypedValue, since: Since, goTypes: GoTypes): string {
  const shape = goTypes(type);
  return since("1.34") ? goShapeJson(shape, value) : goShapeText(shape, value);
}

function isPlain(value: ShownValue): value is PlainValue {
  return value !== undefined && typeof value !== "object";
}

function tooLong(since: Since, maximum: number): string {
  if (since("1.32")) return `may not be more than ${maximum} bytes`;
  return `must have at most ${maximum} ${since("1.17") ? "bytes" : "characters"}`;
}

function detailed(text: string, detail: string): string;
function detailed(text: Wording, detail: Wording): Wording;
function detailed(text: Wording, detail: Wording): Wording {
  if (typeof text !== "string" || typeof detail !== "string") {
    return (since) => detailed(wordingIn(since, text), wordingIn(since, detail));
  }
  return detail === "" ? text : `${text}: ${detail}`;
}
