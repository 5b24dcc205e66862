import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { tooLong } from "../../../apimachinery/validation/format-messages.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { addJobSpec } from "../job/job-spec-validation.ts";
import { CronScheduleError, checkCronSchedule } from "./cron-schedule.ts";
import { timeZoneMessages } from "./time-zone.ts";

/** The path of the spec of the Jobs. */
export const jobTemplatePath = "spec.jobTemplate.spec";

/** The spec of the Jobs of a CronJob. */
export function jobTemplateSpecOf(cronJob: KubeObject): JsonObject {
  return structAt(structAt(structAt(cronJob, "spec"), "jobTemplate"), "spec");
}

/** The length of the suffix that the controller adds to the name of a Job: a dash and the time. */
const suffixLength = 11;
const labelMax = 63;

/**
 * Adds the errors in a CronJob except for its name; `old` is undefined on create.
 * Upstream: pkg/apis/batch/validation/validation.go, validateCronJobSpec.
 */
export function addCronJobErrors(
  errors: Findings,
  cronJob: KubeObject,
  gates: FeatureGates,
  old?: KubeObject,
): void {
  const spec = structAt(cronJob, "spec");
  const before = old && structAt(old, "spec");
  addSchedule(errors, spec, before, gates.since);
  addNonnegativeFields(errors, spec, "spec", ["startingDeadlineSeconds"]);
  const { timeZone } = spec;
  if (typeof timeZone === "string" && timeZone !== before?.["timeZone"]) {
    addInvalid(errors, "spec.timeZone", timeZone, timeZoneMessages(timeZone));
  }
  addConcurrencyPolicy(errors, textAt(spec, "concurrencyPolicy"));
  addJobTemplate(errors, jobTemplateSpecOf(cronJob), gates, old && jobTemplateSpecOf(old));
  addNonnegativeFields(errors, spec, "spec", ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]);
}

/** The name of a new CronJob must leave room for the suffix of its Jobs. Existing names may be longer. */
export function addNameLengthErrors(errors: Findings, { metadata: { name = "" } }: KubeObject): void {
  addInvalid(errors, "metadata.name", name, tooLong(name, labelMax - suffixLength));
}

function addSchedule(errors: Findings, spec: JsonObject, old: JsonObject | undefined, since: Since): void {
  const field = "spec.schedule";
  const schedule = textAt(spec, "schedule");
  if (schedule === "") {
    errors.push(fieldRequired(field));
    return;
  }
  try {
    checkCronSchedule(schedule, since);
  } catch (error) {
    if (!(error instanceof CronScheduleError)) throw error;
    errors.push(fieldInvalid(field, schedule, error.message));
  }
  if (!schedule.includes("TZ")) return;
  // Until 1.28, a time zone in the schedule only causes a warning.
  const isAllowed = !since("1.29") || hadZone(old);
  if (!isAllowed) {
    const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(fieldInvalid(field, schedule, detail));
  } else if (spec["timeZone"] !== undefined) {
    const detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(fieldInvalid(field, schedule, detail));
  }
}

function hadZone(old: JsonObject | undefined): boolean {
  return old !== undefined && textAt(old, "schedule").includes("TZ");
}

function addConcurrencyPolicy(errors: Findings, policy: string): void {
  const choices = ["Allow", "Forbid", "Replace"];
  if (!choices.includes(policy)) {
    errors.push(fieldNotSupported("spec.concurrencyPolicy", policy, choices));
  }
}

/** The template must not have a selector: the server generates it for each Job. */
function addJobTemplate(
  errors: Findings,
  spec: JsonObject,
  gates: FeatureGates,
  old: JsonObject | undefined,
): void {
  addJobSpec(errors, spec, jobTemplatePath, gates, old);
  const { selector, manualSelector } = spec;
  if (selector !== undefined) {
    const shown = typedValue("v1.LabelSelector", selector);
    errors.push(fieldInvalid(child(jobTemplatePath, "selector"), shown, "`selector` will be auto-generated"));
  }
  if (manualSelector === true) {
    errors.push(fieldNotSupported(child(jobTemplatePath, "manualSelector"), true, ["nil", "false"]));
  }
}
