import { sizeAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const configMapPrinter: Printer = {
  cells: (configMap, now) => [
    nameOf(configMap),
    sizeAt(configMap, "data") + sizeAt(configMap, "binaryData"),
    ageOf(configMap, now),
  ],
};
