import { textsAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const serviceCidrPrinter: Printer = {
  cells: (object, now) => [nameOf(object), textsAt(object, "spec", "cidrs").join(","), ageOf(object, now)],
};
