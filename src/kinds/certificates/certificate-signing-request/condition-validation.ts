import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** The checks that are skipped because the old request fails them. */
export interface SkippedConditionChecks {
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

/** Validates the conditions of a request. Upstream: validateConditions. */
export function addConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  field: string,
  skipped: SkippedConditionChecks,
): void {
  const seen = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const at = index(field, i);
    const type = textAt(condition, "type");
    if (type === "" && !skipped.allowsEmptyType) errors.push(fieldRequired(child(at, "type")));
    addStateErrors(errors, textAt(condition, "status"), type, child(at, "status"));
    if (!skipped.allowsBothDecisions && seen.has(opposite.get(type) ?? "none")) {
      const detail = "Approved and Denied conditions are mutually exclusive";
      errors.push(fieldInvalid(child(at, "type"), type, detail));
    }
    if (!skipped.allowsDuplicates && seen.has(type)) errors.push(fieldDuplicate(child(at, "type"), type));
    seen.add(type);
  }
}

function addStateErrors(errors: Findings, state: string, type: string, field: string): void {
  if (state === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const allowed = onlyTrue.has(type) ? ["True"] : states;
  if (!allowed.includes(state)) errors.push(fieldNotSupported(field, state, allowed));
}

/** Whether a request is both approved and denied. */
export function hasBothDecisions(conditions: readonly JsonObject[]): boolean {
  const types = typesOf(conditions);
  return types.includes("Approved") && types.includes("Denied");
}

/** Whether a condition type occurs twice. */
export function hasDuplicateTypes(conditions: readonly JsonObject[]): boolean {
  const types = typesOf(conditions);
  return new Set(types).size < types.length;
}

/** Whether a condition has an empty type. */
export function hasEmptyType(conditions: readonly JsonObject[]): boolean {
  return typesOf(conditions).includes("");
}

function typesOf(conditions: readonly JsonObject[]): readonly string[] {
  return conditions.map((condition) => textAt(condition, "type"));
}
