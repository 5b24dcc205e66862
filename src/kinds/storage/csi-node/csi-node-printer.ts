import { sizeAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const csiNodePrinter: Printer = {
  cells: (object, now) => [nameOf(object), sizeAt(object, "spec", "drivers"), ageOf(object, now)],
};
