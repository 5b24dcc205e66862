import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const namespacePrinter: Printer = {
  cells: (namespace, now) => [nameOf(namespace), textAt(namespace, "status", "phase"), ageOf(namespace, now)],
};
