import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const resourceClaimTemplatePrinter: Printer = {
  cells: (object, now) => [nameOf(object), ageOf(object, now)],
};
