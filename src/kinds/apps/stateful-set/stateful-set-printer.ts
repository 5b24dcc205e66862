import { numberAt } from "../../../apimachinery/fields.ts";
import { ageOf, containerCells, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const statefulSetPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
    ageOf(object, now),
    ...containerCells(object, "spec", "template"),
  ],
};
