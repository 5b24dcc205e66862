import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const leasePrinter: Printer = {
  cells: (lease, now) => [nameOf(lease), textAt(lease, "spec", "holderIdentity"), ageOf(lease, now)],
};
