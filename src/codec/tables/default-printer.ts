import { nameOf } from "./cell-text.ts";
import { type Printer, textColumns } from "./printer.ts";

/** The printer for kinds without one. It shows the creation timestamp instead of the age. */
export const defaultPrinter: Printer = {
  columns: textColumns("Name", "Created At").map((column, i) =>
    i === 0 ? column : { ...column, type: "date" },
  ),
  cells: (object) => [nameOf(object), object.metadata.creationTimestamp ?? "0001-01-01T00:00:00Z"],
};
