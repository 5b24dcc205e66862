import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { findFieldPath } from "../../../schema/structural/schema-field-path.ts";
import { structural } from "../../../schema/structural/structural-schema.ts";
import { hasSchema, schemasOf } from "./schemas-within.ts";

const validations = "x-kubernetes-validations";
const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** The rules and message expressions of a definition in the internal version. */
export function expressionsOf(spec: JsonObject): ReadonlySet<string> {
  const expressions = new Set<string>();
  for (const schema of schemasOf(spec)) {
    hasSchema(schema, (part) => {
      for (const rule of listAt(part, validations)) {
        expressions.add(textAt(rule, "rule")).add(textAt(rule, "messageExpression"));
      }
      return false;
    });
  }
  return expressions;
}

/** Validates the fields of rules, but for the expressions themselves. */
export function addRuleFieldErrors(errors: Findings, schema: JsonObject, path: string): void {
  for (const [i, rule] of listAt(schema, validations).entries()) {
    const at = index(child(path, validations), i);
    addMessageErrors(errors, rule, at);
    const { reason } = rule;
    if (typeof reason === "string" && !reasons.includes(reason)) {
      errors.push(fieldNotSupported(child(at, "reason"), reason, reasons));
    }
    addFieldPathErrors(errors, textAt(rule, "fieldPath"), schema, child(at, "fieldPath"));
  }
}

function addMessageErrors(errors: Findings, rule: JsonObject, at: string): void {
  const text = textAt(rule, "rule").trim();
  const message = textAt(rule, "message");
  const expression = textAt(rule, "messageExpression");
  const field = child(at, "message");
  if (text === "") errors.push(fieldRequired(child(at, "rule"), "rule is not specified"));
  else if (message !== "" && message.trim() === "") {
    errors.push(fieldInvalid(field, message, "message must be non-empty if specified"));
  } else if (hasLineBreaks(message.trim())) {
    errors.push(fieldInvalid(field, message, "message must not contain line breaks"));
  } else if (hasLineBreaks(text) && message === "") {
    errors.push(fieldRequired(field, "message must be specified if rule contains line breaks"));
  }
  if (expression !== "" && expression.trim() === "") {
    const detail = "messageExpression must be non-empty if specified";
    errors.push(fieldRequired(child(at, "messageExpression"), detail));
  }
}

function addFieldPathErrors(errors: Findings, text: string, schema: JsonObject, field: string): void {
  if (text === "") return;
  const add = (detail: string) => errors.push(fieldInvalid(field, text, `fieldPath ${detail}`));
  if (text.trim() === "") add("must be non-empty if specified");
  if (hasLineBreaks(text)) add("must not contain line breaks");
  if (typeof findFieldPath(text, structural(schema)) === "string") add("must be a valid path");
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}
