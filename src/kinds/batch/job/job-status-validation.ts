import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { booleanAt, numberAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../../apimachinery/time.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { countIndexes, firstOverlap, IndexFormatError } from "./index-intervals.ts";
import { isIndexed } from "./job-spec-validation.ts";
import { addConditionsError, goTime, type StatusChange, statusChange, timeAt } from "./job-status-change.ts";
import { addStatusChanges } from "./job-status-history.ts";

/**
 * Adds the errors in the status of a Job. A rule about several fields applies only when one of them changes: an update
 * of the spec may make a status inconsistent until the controller corrects it.
 * Upstream: pkg/apis/batch/validation/validation.go, ValidateJobUpdateStatus.
 */
export function addJobStatusErrors(
  errors: Findings,
  job: KubeObject,
  oldJob: KubeObject,
  gates: FeatureGates,
): void {
  const change = statusChange(job, oldJob);
  addNonnegativeFields(errors, change.status, "status", [
    "active",
    "succeeded",
    "failed",
    "ready",
    "terminating",
  ]);
  addUncountedPods(errors, change.status);
  // Without external controllers, upstream trusts its own controller with the rest.
  if (!gates.isEnabled("JobManagedBy")) return;
  addCompletion(errors, change);
  addFinish(errors, change);
  addIndexes(errors, change);
  addPods(errors, change);
  addSuccess(errors, change);
  addStatusChanges(errors, change);
}

function addUncountedPods(errors: Findings, status: JsonObject): void {
  const seen = new Set<string>();
  for (const outcome of ["succeeded", "failed"]) {
    for (const [position, uid] of textsAt(status, "uncountedTerminatedPods", outcome).entries()) {
      const field = index(`status.uncountedTerminatedPods.${outcome}`, position);
      if (uid === "") errors.push(fieldInvalid(field, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(fieldDuplicate(field, uid));
      seen.add(uid);
    }
  }
}

function addCompletion(errors: Findings, { status, is, was, changed }: StatusChange): void {
  const completeChanged = is.complete !== was.complete;
  if ((completeChanged || is.failed !== was.failed) && is.complete && is.failed) {
    addConditionsError(errors, "cannot set Complete=True and Failed=true conditions");
  }
  if ((completeChanged || is.failureTarget !== was.failureTarget) && is.complete && is.failureTarget) {
    addConditionsError(errors, "cannot set Complete=True and FailureTarget=true conditions");
  }
  const completionTime = timeAt(status, "completionTime");
  const startTime = timeAt(status, "startTime");
  const field = "status.completionTime";
  if (completeChanged || changed("completionTime")) {
    if (completionTime !== undefined && !is.complete) {
      const detail = "cannot set completionTime when there is no Complete=True condition";
      errors.push(fieldInvalid(field, goTime(completionTime), detail));
    }
    if (completionTime === undefined && is.complete) {
      errors.push(fieldRequired(field, "completionTime is required for Complete jobs"));
    }
  }
  if (!changed("startTime", "completionTime")) return;
  if (startTime === undefined || completionTime === undefined) return;
  if (timeMilliseconds(completionTime) >= timeMilliseconds(startTime)) return;
  errors.push(fieldInvalid(field, goTime(completionTime), "must be equal to or after `startTime`"));
}

function addFinish(errors: Findings, { spec, status, is, was, changed }: StatusChange): void {
  if (
    (is.failed !== was.failed || is.failureTarget !== was.failureTarget) &&
    is.failed &&
    !is.failureTarget
  ) {
    addConditionsError(errors, "cannot set Failed=True condition without the FailureTarget=true condition");
  }
  const successChanged = is.complete !== was.complete || is.successCriteriaMet !== was.successCriteriaMet;
  if (successChanged && is.complete && !is.successCriteriaMet) {
    const detail = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    addConditionsError(errors, detail);
  }
  const finishedChanged = is.finished !== was.finished;
  const active = numberAt(status, "active");
  if ((finishedChanged || changed("active")) && active > 0 && is.finished) {
    errors.push(fieldInvalid("status.active", active, "active>0 is invalid for finished job"));
  }
  const needsStart = is.finished && !(booleanAt(spec, "suspend") && spec["completions"] === 0);
  if ((finishedChanged || changed("startTime")) && needsStart && timeAt(status, "startTime") === undefined) {
    errors.push(fieldRequired("status.startTime", "startTime is required for finished job"));
  }
  const uncounted = ["succeeded", "failed"].flatMap((outcome) =>
    textsAt(status, "uncountedTerminatedPods", outcome),
  );
  if ((finishedChanged || changed("uncountedTerminatedPods")) && is.finished && uncounted.length > 0) {
    const shown = typedValue("batch.UncountedTerminatedPods", status["uncountedTerminatedPods"]);
    errors.push(fieldInvalid("status.uncountedTerminatedPods", shown, "must be empty for finished job"));
  }
}

function addIndexes(errors: Findings, { spec, status, changed }: StatusChange): void {
  const { completions, backoffLimitPerIndex } = spec;
  const { failedIndexes } = status;
  const completed = textAt(status, "completedIndexes");
  const limit = typeof completions === "number" ? completions : undefined;
  const hasFailed = typeof failedIndexes === "string";
  if (changed("completedIndexes") && limit !== undefined) {
    addIndexFormatErrors(errors, completed, limit, "completedIndexes");
  }
  if (changed("failedIndexes") && limit !== undefined && backoffLimitPerIndex !== undefined && hasFailed) {
    addIndexFormatErrors(errors, failedIndexes, limit, "failedIndexes");
  }
  if (changed("completedIndexes") && completed !== "" && !isIndexed(spec)) {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(fieldInvalid("status.completedIndexes", completed, detail));
  }
  if (!hasFailed) return;
  if (changed("failedIndexes") && backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(fieldInvalid("status.failedIndexes", failedIndexes, detail));
  }
  if (!changed("failedIndexes", "completedIndexes") || limit === undefined) return;
  const overlap = firstOverlap(completed, failedIndexes, limit);
  if (overlap === undefined) return;
  const detail = `failedIndexes and completedIndexes overlap at index: ${overlap}`;
  errors.push(fieldInvalid("status.failedIndexes", failedIndexes, detail));
}

function addIndexFormatErrors(errors: Findings, text: string, completions: number, list: string): void {
  try {
    countIndexes(text, completions);
  } catch (error) {
    if (!(error instanceof IndexFormatError)) throw error;
    errors.push(fieldInvalid(`status.${list}`, text, `error parsing ${list}: ${error.message}`));
  }
}

function addPods(errors: Findings, { status, is, was, changed }: StatusChange): void {
  const terminating = numberAt(status, "terminating");
  if ((is.finished !== was.finished || changed("terminating")) && terminating > 0 && is.finished) {
    errors.push(fieldInvalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
  }
  const ready = numberAt(status, "ready");
  if (changed("ready", "active") && ready > numberAt(status, "active")) {
    errors.push(fieldInvalid("status.ready", ready, "cannot set more ready pods than active"));
  }
}

function addSuccess(errors: Findings, { spec, is }: StatusChange): void {
  if (is.successCriteriaMet && is.failed) {
    addConditionsError(errors, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  }
  if (is.successCriteriaMet && is.failureTarget) {
    addConditionsError(errors, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (spec["successPolicy"] !== undefined && !is.successCriteriaMet && is.complete) {
    const detail = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    addConditionsError(errors, detail);
  }
}
