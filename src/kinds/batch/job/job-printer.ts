import { numberAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { humanDuration } from "../../../apimachinery/go/human-duration.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { timeMilliseconds } from "../../../apimachinery/time.ts";
import { ageOf, conditionOf, containerCells, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const jobPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containerCells(object, "spec", "template"),
    formatLabelSelectorObject(valueAt(object, "spec", "selector")),
  ],
};

function jobStatus(job: KubeObject): string {
  const has = (type: string): boolean => conditionOf(job, type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp) return "Terminating";
  if (has("Suspended")) return "Suspended";
  if (has("FailureTarget")) return "FailureTarget";
  return has("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function jobCompletions(job: KubeObject): string {
  const succeeded = numberAt(job, "status", "succeeded");
  const completions = valueAt(job, "spec", "completions");
  if (typeof completions === "number") return `${succeeded}/${completions}`;
  const parallelism = numberAt(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubeObject, now: number): string {
  const started = timeMilliseconds(textAt(job, "status", "startTime"));
  if (Number.isNaN(started)) return "";
  const completed = timeMilliseconds(textAt(job, "status", "completionTime"));
  return humanDuration((Number.isNaN(completed) ? now : completed) - started);
}
