import { sizeAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

/** Prints service accounts as releases before 1.35 do. */
export const serviceAccountPrinter: Printer = {
  cells: (account, now) => [nameOf(account), sizeAt(account, "secrets"), ageOf(account, now)],
};

/** Prints service accounts as 1.35 and later do. */
export const newerServiceAccountPrinter: Printer = {
  columns: textColumns("Name", "Age"),
  cells: (account, now) => [nameOf(account), ageOf(account, now)],
};
