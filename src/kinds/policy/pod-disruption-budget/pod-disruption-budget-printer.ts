import { integerAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const podDisruptionBudgetPrinter: Printer = {
  cells: (budget, now) => [
    nameOf(budget),
    numberOrPercentage(budget, "minAvailable"),
    numberOrPercentage(budget, "maxUnavailable"),
    integerAt(budget, "status", "disruptionsAllowed"),
    ageOf(budget, now),
  ],
};

function numberOrPercentage(budget: KubeObject, field: string): string {
  return String(valueAt(budget, "spec", field) ?? "N/A");
}
