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
import { labelNameErrors } from "../../../apimachinery/validation/label-errors.ts";
import { labelValueMessages } from "../../../apimachinery/validation/qualified-names.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the taints of a node. Upstream: pkg/apis/core/validation/validation.go, validateNodeTaints. */
export function taintErrors(taints: readonly JsonObject[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const at = index(field, i);
    errors.push(...oneTaintErrors(taint, at));
    const identity = `${textAt(taint, "effect")} ${textAt(taint, "key")}`;
    if (seen.has(identity)) errors.push(duplicate(taint, at));
    seen.add(identity);
  }
  return errors;
}

function oneTaintErrors(taint: JsonObject, at: string): FieldError[] {
  const value = textAt(taint, "value");
  const messages = labelValueMessages(value);
  return [
    ...labelNameErrors(textAt(taint, "key"), child(at, "key")),
    ...(messages.length === 0 ? [] : [fieldInvalid(child(at, "value"), value, messages.join(";"))]),
    ...effectErrors(textAt(taint, "effect"), child(at, "effect")),
  ];
}

function effectErrors(effect: string, field: string): FieldError[] {
  if (effect === "") return [fieldRequired(field)];
  return effects.includes(effect) ? [] : [fieldNotSupported(field, effect, effects)];
}

function duplicate(taint: JsonObject, at: string): FieldError {
  return fieldDuplicate(at, typedValue("core.Taint", taint), "taints must be unique by key and effect pair");
}
