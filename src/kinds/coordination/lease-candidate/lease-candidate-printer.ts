import { textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const leaseCandidatePrinter: Printer = {
  cells: (candidate, now) => [
    nameOf(candidate),
    textAt(candidate, "spec", "leaseName"),
    textAt(candidate, "spec", "binaryVersion"),
    textAt(candidate, "spec", "emulationVersion"),
    ageOf(candidate, now),
  ],
};
