import { integerAt, objectAt } from "../../../apimachinery/fields.ts";
import { ageOf, containerCells, formatLabels, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const replicationControllerPrinter: Printer = {
  cells: (controller, now) => [
    nameOf(controller),
    integerAt(controller, "spec", "replicas"),
    integerAt(controller, "status", "replicas"),
    integerAt(controller, "status", "readyReplicas"),
    ageOf(controller, now),
    ...containerCells(controller, "spec", "template"),
    formatLabels(objectAt(controller, "spec", "selector")),
  ],
};
