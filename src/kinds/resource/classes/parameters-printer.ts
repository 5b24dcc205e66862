import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

/** The printer of parameters of claims and classes. */
export const parametersPrinter: Printer = {
  columns: textColumns("Name", "GeneratedFrom", "Age"),
  cells: (parameters, now) => {
    const source = objectAt(parameters, "generatedFrom");
    const from =
      source && `${textAt(source, "kind")}.${textAt(source, "apiGroup")} ${textAt(source, "name")}`;
    return [nameOf(parameters), from ?? "", ageOf(parameters, now)];
  },
};
