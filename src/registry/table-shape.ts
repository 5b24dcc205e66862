import { type Release, sinceOf } from "../apimachinery/release.ts";
import type { PrinterColumn } from "../catalog/resource-facts.ts";
import { defaultPrinter } from "../codec/tables/default-printer.ts";
import type { Printer } from "../codec/tables/printer.ts";
import { shapeOf, type TableShape } from "../codec/tables/table.ts";
import type { KindRules } from "./contract/kind-definition.ts";

/** The columns of a resource with its printer, or with the default one. */
export function tableShape(printer: Printer | undefined, columns: readonly PrinterColumn[]): TableShape {
  return printer === undefined ? shapeOf(defaultPrinter, []) : shapeOf(printer, columns);
}

/** The printer of a version of a kind in a release, if it has one. */
export function printerOf(
  { printer, newerPrinter, printerOf: ofVersion }: KindRules,
  release: Release,
  version: string,
): Printer | undefined {
  const own = ofVersion?.(version);
  if (own !== undefined) return own;
  const isNewer = newerPrinter !== undefined && sinceOf(release)(newerPrinter.since);
  return isNewer ? newerPrinter.printer : printer;
}
