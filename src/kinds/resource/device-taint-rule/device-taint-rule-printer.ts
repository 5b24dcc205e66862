import { textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf, timeSince } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

export const deviceTaintRulePrinter: Printer = {
  columns: textColumns("Name", "Key", "Value", "Effect", "TimeAdded", "Age"),
  cells: (rule, now) => [
    nameOf(rule),
    textAt(rule, "spec", "taint", "key"),
    textAt(rule, "spec", "taint", "value"),
    textAt(rule, "spec", "taint", "effect"),
    timeAdded(rule, now),
    ageOf(rule, now),
  ],
};

function timeAdded(rule: KubeObject, now: number): string {
  const time = valueAt(rule, "spec", "taint", "timeAdded");
  return typeof time === "string" ? timeSince(time, now) : "";
}
