import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelNameErrors } from "../../../apimachinery/validation/label-errors.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the taints of a node. Upstream: pkg/apis/core/validation/validation.go, validateNodeTaints. */
export function addTaintErrors(errors: Findings, taints: readonly JsonObject[], field: string): void {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const at = index(field, i);
    addOneTaintErrors(errors, taint, at);
    const identity = `${textAt(taint, "effect")} ${textAt(taint, "key")}`;
    if (seen.has(identity)) errors.push(duplicate(taint, at));
    seen.add(identity);
  }
}

function addOneTaintErrors(errors: Findings, taint: JsonObject, at: string): void {
  const value = textAt(taint, "value");
  const messages = labelValueMessages(value);
  addLabelNameErrors(errors, textAt(taint, "key"), child(at, "key"));
  if (messages.length !== 0) errors.push(fieldInvalid(child(at, "value"), value, messages.join(";")));
  addEffectErrors(errors, textAt(taint, "effect"), child(at, "effect"));
}

function addEffectErrors(errors: Findings, effect: string, field: string): void {
  if (effect === "") errors.push(fieldRequired(field));
  else if (!effects.includes(effect)) errors.push(fieldNotSupported(field, effect, effects));
}

function duplicate(taint: JsonObject, at: string): FieldError {
  return fieldDuplicate(at, typedValue("core.Taint", taint), "taints must be unique by key and effect pair");
}
