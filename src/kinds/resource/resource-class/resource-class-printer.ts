import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

export const resourceClassPrinter: Printer = {
  columns: textColumns("Name", "DriverName", "Age"),
  cells: (object, now) => [nameOf(object), textAt(object, "driverName"), ageOf(object, now)],
};
