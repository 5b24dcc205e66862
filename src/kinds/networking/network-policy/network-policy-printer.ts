import { valueAt } from "../../../apimachinery/fields.ts";
import { formatLabelSelectorObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const networkPolicyPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    formatLabelSelectorObject(valueAt(object, "spec", "podSelector")),
    ageOf(object, now),
  ],
};
