import { sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const secretPrinter: Printer = {
  cells: (secret, now) => [
    nameOf(secret),
    textAt(secret, "type"),
    sizeAt(secret, "data"),
    ageOf(secret, now),
  ],
};
