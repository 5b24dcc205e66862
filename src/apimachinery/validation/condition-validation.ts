import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../errors/field.ts";
import type { Wording } from "../errors/wording.ts";
import { integerAt, textAt } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { child, index } from "./field-path.ts";
import type { Findings } from "./findings.ts";
import { exceeds, formatError } from "./format-messages.ts";
import { addLabelNameErrors } from "./label-errors.ts";

const statuses = ["False", "True", "Unknown"];
const reasonMax = 1024;
const messageMax = 32 * 1024;

const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonCharacters = new RegExp(`^${reasonFormat}$`);
const reasonMessage = formatError(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonFormat,
  ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
);

const mustBeSet: Wording = (since) => (since("1.34") ? "" : "must be set");

/** Validates conditions of the type `metav1.Condition`. */
export function addConditionErrors(errors: Findings, conditions: readonly JsonObject[], path: string): void {
  addTypedConditionErrors(errors, conditions, path, { time: "lastTransitionTime", missing: mustBeSet });
}

/**
 * Validates the conditions of a migration before they had the common type, with another time field and other
 * messages.
 */
export function addMigrationConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  path: string,
): void {
  addTypedConditionErrors(errors, conditions, path, { time: "lastUpdateTime", missing: "" });
}

/** The differences between two types of conditions. */
interface ConditionForm {
  /** The required time field. The error names `lastTransitionTime` in any case. */
  readonly time: string;
  /** The detail of the error for a missing value. */
  readonly missing: Wording;
}

function addTypedConditionErrors(
  errors: Findings,
  conditions: readonly JsonObject[],
  path: string,
  form: ConditionForm,
): void {
  const types = new Set<string>();
  conditions.forEach((condition, position) => {
    const at = index(path, position);
    const type = textAt(condition, "type");
    if (types.has(type)) errors.push(fieldDuplicate(child(at, "type"), type));
    types.add(type);
    addLabelNameErrors(errors, type, child(at, "type"));
    addCondition(errors, condition, at, form);
  });
}

function addCondition(
  errors: Findings,
  condition: JsonObject,
  path: string,
  { time, missing }: ConditionForm,
): void {
  const status = textAt(condition, "status");
  if (!statuses.includes(status)) errors.push(fieldNotSupported(child(path, "status"), status, statuses));
  const generation = integerAt(condition, "observedGeneration");
  if (generation < 0) {
    const field = child(path, "observedGeneration");
    errors.push(fieldInvalid(field, generation, "must be greater than or equal to zero"));
  }
  if (textAt(condition, time) === "") {
    errors.push(fieldRequired(child(path, "lastTransitionTime"), missing));
  }
  addReason(errors, textAt(condition, "reason"), child(path, "reason"), missing);
  if (exceeds(textAt(condition, "message"), messageMax)) {
    errors.push(fieldTooLong(child(path, "message"), messageMax));
  }
}

function addReason(errors: Findings, reason: string, field: string, missing: Wording): void {
  if (reason === "") {
    errors.push(fieldRequired(field, missing));
    return;
  }
  if (!reasonCharacters.test(reason)) errors.push(fieldInvalid(field, reason, reasonMessage));
  if (exceeds(reason, reasonMax)) errors.push(fieldTooLong(field, reasonMax));
}
