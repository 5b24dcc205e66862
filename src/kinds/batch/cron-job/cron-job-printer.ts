import { sizeAt, textAt, textOr, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, containerCells, nameOf, timeSince } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const cronJobPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textAt(object, "spec", "schedule"),
    textOr("<none>", object, "spec", "timeZone"),
    suspension(object),
    sizeAt(object, "status", "active"),
    lastSchedule(object, now),
    ageOf(object, now),
    ...containerCells(object, "spec", "jobTemplate", "spec", "template"),
    formatLabelSelectorObject(valueAt(object, "spec", "jobTemplate", "spec", "selector")),
  ],
};

function suspension(cronJob: KubeObject): string {
  const suspend = valueAt(cronJob, "spec", "suspend");
  if (typeof suspend !== "boolean") return "<unset>";
  return suspend ? "True" : "False";
}

function lastSchedule(cronJob: KubeObject, now: number): string {
  const time = valueAt(cronJob, "status", "lastScheduleTime");
  return typeof time === "string" ? timeSince(time, now) : "<none>";
}
