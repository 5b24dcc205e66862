import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

export const podSchedulingContextPrinter: Printer = {
  columns: textColumns("Name", "SelectedNode", "Age"),
  cells: (object, now) => [nameOf(object), textAt(object, "spec", "selectedNode"), ageOf(object, now)],
};
