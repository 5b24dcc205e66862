import { nameOf } from "./cell-text.ts";
import { type Printer, textColumns } from "./printer.ts";

/** Shows objects that have no printer of their own: instead of an age, the creation timestamp itself. */
export const defaultPrinter: Printer = {
  columns: textColumns("Name", "Created At").map((column, i) =>
    i === 0 ? column : { ...column, type: "date" },
  ),
  cells: (object) => [nameOf(object), object.metadata.creationTimestamp ?? "0001-01-01T00:00:00Z"],
};
