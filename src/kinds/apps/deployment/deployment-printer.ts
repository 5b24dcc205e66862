import { integerAt, numberAt, valueAt } from "../../../apimachinery/fields.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, containerCells, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const deploymentPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
    integerAt(object, "status", "updatedReplicas"),
    integerAt(object, "status", "availableReplicas"),
    ageOf(object, now),
    ...containerCells(object, "spec", "template"),
    // Other kinds print an empty selector as <none>; Deployments print an empty text.
    labelSelectorFromObject(valueAt(object, "spec", "selector")).text,
  ],
};
