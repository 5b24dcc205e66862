import { sizeAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The rows of validating and mutating webhook configurations. */
export const webhookConfigurationPrinter: Printer = {
  cells: (object, now) => [nameOf(object), sizeAt(object, "webhooks"), ageOf(object, now)],
};
