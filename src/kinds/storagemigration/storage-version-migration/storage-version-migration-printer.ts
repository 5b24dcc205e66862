import { textAt } from "../../../apimachinery/fields.ts";
import { nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const storageVersionMigrationPrinter: Printer = {
  cells: (object) => [
    nameOf(object),
    `${textAt(object, "spec", "resource", "resource")}.${textAt(object, "spec", "resource", "group")}`,
  ],
};
