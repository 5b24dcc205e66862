import { objectAt } from "../../../apimachinery/fields.ts";
import { containerCells, formatLabels, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const podTemplatePrinter: Printer = {
  cells: (template) => [
    nameOf(template),
    ...containerCells(template, "template"),
    formatLabels(objectAt(template, "template", "metadata", "labels")),
  ],
};
