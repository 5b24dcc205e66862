import { integerAt, valueAt } from "../../../apimachinery/fields.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, containerCells, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const replicaSetPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    integerAt(object, "spec", "replicas"),
    integerAt(object, "status", "replicas"),
    integerAt(object, "status", "readyReplicas"),
    ageOf(object, now),
    ...containerCells(object, "spec", "template"),
    formatLabelSelectorObject(valueAt(object, "spec", "selector")),
  ],
};
