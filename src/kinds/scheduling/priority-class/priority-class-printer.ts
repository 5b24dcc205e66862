import { booleanAt, integerAt, textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const priorityClassPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    integerAt(object, "value"),
    booleanAt(object, "globalDefault"),
    ageOf(object, now),
    textAt(object, "preemptionPolicy"),
  ],
};
