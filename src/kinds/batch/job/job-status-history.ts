import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { booleanAt, numberAt } from "../../../apimachinery/fields.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { isIndexed } from "./job-spec-validation.ts";
import { addConditionsError, goTime, type StatusChange, timeAt } from "./job-status-change.ts";

/** Validates how the status changes: terminal conditions stay true and counters do not decrease. */
export function addStatusChanges(errors: Findings, change: StatusChange): void {
  addDisabledConditions(errors, change);
  addDecreasedCounts(errors, change);
  addChangedTimes(errors, change);
  const { is, was } = change;
  if (was.successCriteriaMet && !is.successCriteriaMet) {
    addConditionsError(errors, "cannot disable the SuccessCriteriaMet=True condition");
  }
  if (was.complete && !was.successCriteriaMet && is.successCriteriaMet) {
    const detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    addConditionsError(errors, detail);
  }
}

function addDisabledConditions(errors: Findings, { is, was }: StatusChange): void {
  const terminal = [
    ["Failed", was.failed && !is.failed],
    ["Complete", was.complete && !is.complete],
    ["FailureTarget", was.failureTarget && !is.failureTarget],
  ] as const;
  for (const [condition, isDisabled] of terminal) {
    if (isDisabled) addConditionsError(errors, `cannot disable the terminal ${condition}=True condition`);
  }
}

/** An elastic Indexed Job may decrease `succeeded`: scaling down drops indexes. */
function addDecreasedCounts(errors: Findings, { spec, status, old }: StatusChange): void {
  const failed = numberAt(status, "failed");
  if (failed < numberAt(old, "failed")) {
    errors.push(fieldInvalid("status.failed", failed, "cannot decrease the failed counter"));
  }
  const isElastic = isIndexed(spec) && spec["completions"] === spec["parallelism"];
  const succeeded = numberAt(status, "succeeded");
  if (!isElastic && succeeded < numberAt(old, "succeeded")) {
    errors.push(fieldInvalid("status.succeeded", succeeded, "cannot decrease the succeeded counter"));
  }
}

function addChangedTimes(errors: Findings, { spec, status, old, is, was, changed }: StatusChange): void {
  const completionTime = timeAt(status, "completionTime");
  const completedBefore = timeAt(old, "completionTime");
  if (completionTime !== undefined && completedBefore !== undefined && completionTime !== completedBefore) {
    errors.push(fieldInvalid("status.completionTime", goTime(completionTime), "field is immutable"));
  }
  // The controller writes a resumed Job's new start together with the end of the suspension.
  const isFree = booleanAt(spec, "suspend") || (was.suspended && !is.suspended);
  if (timeAt(old, "startTime") !== undefined && changed("startTime") && !isFree) {
    errors.push(fieldRequired("status.startTime", "startTime cannot be removed for unsuspended job"));
  }
}
