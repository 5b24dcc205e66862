import { integerAt } from "../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../codec/tables/cell-text.ts";
import type { Printer } from "../../codec/tables/printer.ts";

/** The Table of the subresource `scale`, the same for every resource that has it. */
export const scalePrinter: Printer = {
  columns: [
    { name: "Name", type: "string", format: "", priority: 0 },
    { name: "Desired", type: "integer", format: "", priority: 0 },
    { name: "Available", type: "integer", format: "", priority: 0 },
    { name: "Age", type: "string", format: "", priority: 0 },
  ],
  cells: (scale, now) => [
    nameOf(scale),
    integerAt(scale, "spec", "replicas"),
    integerAt(scale, "status", "replicas"),
    ageOf(scale, now),
  ],
};
