import { sizeAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

/** Prints service accounts in releases before 1.35. */
export const serviceAccountPrinter: Printer = {
  cells: (account, now) => [nameOf(account), sizeAt(account, "secrets"), ageOf(account, now)],
};

/** Prints service accounts in 1.35 and later. */
export const newerServiceAccountPrinter: Printer = {
  columns: textColumns("Name", "Age"),
  cells: (account, now) => [nameOf(account), ageOf(account, now)],
};
