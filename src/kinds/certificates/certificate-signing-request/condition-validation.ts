import {
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** What is let pass because the old request has it. */
export interface ConditionLeniency {
  readonly allowsBothDecisions: boolean;
  readonly allowsDuplicates: boolean;
  readonly allowsEmptyType: boolean;
}

const onlyTrue: ReadonlySet<string> = new Set(["Approved", "Denied", "Failed"]);
const states = ["False", "True", "Unknown"];
const opposite: ReadonlyMap<string, string> = new Map([
  ["Approved", "Denied"],
  ["Denied", "Approved"],
]);

/** What is wrong with the conditions of a request. */
export function conditionErrors(
  conditions: readonly JsonObject[],
  field: string,
  leniency: ConditionLeniency,
): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const at = index(field, i);
    const type = textAt(condition, "type");
    const errors: FieldError[] = [];
    if (type === "" && !leniency.allowsEmptyType) errors.push(fieldRequired(child(at, "type")));
    errors.push(...stateErrors(textAt(condition, "status"), type, child(at, "status")));
    if (!leniency.allowsBothDecisions && seen.has(opposite.get(type) ?? "none")) {
      const detail = "Approved and Denied conditions are mutually exclusive";
      errors.push(fieldInvalid(child(at, "type"), type, detail));
    }
    if (!leniency.allowsDuplicates && seen.has(type)) errors.push(fieldDuplicate(child(at, "type"), type));
    seen.add(type);
    return errors;
  });
}

function stateErrors(state: string, type: string, field: string): FieldError[] {
  if (state === "") return [fieldRequired(field)];
  const allowed = onlyTrue.has(type) ? ["True"] : states;
  return allowed.includes(state) ? [] : [fieldNotSupported(field, state, allowed)];
}

/** Whether a request is both approved and denied. */
export function hasBothDecisions(conditions: readonly JsonObject[]): boolean {
  const types = typesOf(conditions);
  return types.includes("Approved") && types.includes("Denied");
}

/** Whether two conditions are of one type. */
export function hasDuplicateTypes(conditions: readonly JsonObject[]): boolean {
  const types = typesOf(conditions);
  return new Set(types).size < types.length;
}

/** Whether a condition has no type. */
export function hasEmptyType(conditions: readonly JsonObject[]): boolean {
  return typesOf(conditions).includes("");
}

function typesOf(conditions: readonly JsonObject[]): readonly string[] {
  return conditions.map((condition) => textAt(condition, "type"));
}
