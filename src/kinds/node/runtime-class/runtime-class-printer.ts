import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const runtimeClassPrinter: Printer = {
  cells: (object, now) => [nameOf(object), textAt(object, "handler"), ageOf(object, now)],
};
