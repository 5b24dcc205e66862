import type { PrinterColumn } from "../catalog/printer-column.ts";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import { shapeOf, type TableShape } from "../codec/tables/table.ts";

/** The columns of a resource with its printer, or with the default one. */
export function tableShape(printer: Printer | undefined, columns: readonly PrinterColumn[]): TableShape {
  return printer === undefined ? shapeOf(defaultPrinter, []) : shapeOf(printer, columns);
}
