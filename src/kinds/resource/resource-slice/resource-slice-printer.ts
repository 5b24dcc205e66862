import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const resourceSlicePrinter: Printer = {
  cells: (slice, now) => [
    nameOf(slice),
    textAt(slice, "spec", "nodeName"),
    textAt(slice, "spec", "driver"),
    textAt(slice, "spec", "pool", "name"),
    ageOf(slice, now),
  ],
};
