import { type Release, sinceOf } from "../apimachinery/release.ts";
import type { PrinterColumn } from "../catalog/resource-facts.ts";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import { shapeOf, type TableShape } from "../codec/tables/table.ts";
import type { KindDefinition } from "./contract/kind-definition.ts";

/** The columns and the printer of a resource in a release. `version` selects the printer of a kind that has one for each. */
export function tableShape(
  definition: KindDefinition | undefined,
  columns: readonly PrinterColumn[],
  release: Release,
  version: string,
): TableShape {
  const printer = definition && (definition.printerOf?.(version) ?? printerOf(definition, release));
  return printer === undefined ? shapeOf(defaultPrinter, []) : shapeOf(printer, columns);
}

/** The printer of a kind in a release, if it has one. */
export function printerOf({ printer, newerPrinter }: KindDefinition, release: Release): Printer | undefined {
  const isNewer = newerPrinter !== undefined && sinceOf(release)(newerPrinter.since);
  return isNewer ? newerPrinter.printer : printer;
}
