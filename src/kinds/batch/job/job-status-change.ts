import { fieldInvalidUnshown } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, valueAt } from "../../../apimachinery/fields.ts";
import { type GoValue, go } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Which conditions of a Job are true. */
export interface JobConditions {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failureTarget: boolean;
  readonly successCriteriaMet: boolean;
  readonly suspended: boolean;
  /** Whether the Job is complete or has failed. */
  readonly finished: boolean;
}

/** The old and the new status of a Job with their conditions. */
export interface StatusChange {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly old: JsonObject;
  readonly is: JobConditions;
  readonly was: JobConditions;
  /** Whether one of these fields of the status has changed. */
  readonly changed: (...fields: readonly string[]) => boolean;
}

/** The change of the status between two versions of a Job. */
export function statusChange(job: KubeObject, oldJob: KubeObject): StatusChange {
  const [status, old] = [structAt(job, "status"), structAt(oldJob, "status")];
  return {
    spec: structAt(job, "spec"),
    status,
    old,
    is: jobConditions(status),
    was: jobConditions(old),
    changed: (...fields) => fields.some((field) => !jsonEqual(status[field] ?? null, old[field] ?? null)),
  };
}

/** Adds an error about the list of conditions, which upstream does not show. */
export function addConditionsError(errors: Findings, detail: string): void {
  errors.push(fieldInvalidUnshown("status.conditions", detail));
}

/** A time of the status, in its canonical form; undefined if it is not set. */
export function timeAt(status: JsonObject, field: string): string | undefined {
  const time = valueAt(status, field);
  return typeof time === "string" ? time : undefined;
}

/** A time as an error message shows it. */
export function goTime(time: string): GoValue {
  return go.time(time);
}

function jobConditions(status: JsonObject): JobConditions {
  const conditions = listAt(status, "conditions");
  const isTrue = (type: string) =>
    conditions.some((condition) => condition["type"] === type && condition["status"] === "True");
  const complete = isTrue("Complete");
  const failed = isTrue("Failed");
  return {
    complete,
    failed,
    failureTarget: isTrue("FailureTarget"),
    successCriteriaMet: isTrue("SuccessCriteriaMet"),
    suspended: isTrue("Suspended"),
    finished: complete || failed,
  };
}
