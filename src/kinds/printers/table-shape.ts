import type { GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { Release } from "../../catalog/api-resource.ts";
import { resourceFacts } from "../../catalog/resource-facts.ts";
import { defaultPrinter } from "../../codec/tables/default-printer.ts";
import { shapeOf, type TableShape } from "../../codec/tables/table.ts";
import { printerOf } from "./printers.ts";

/** How a release shows a resource. */
export function tableShape(gvr: GroupVersionResource, release: Release): TableShape {
  const printer = printerOf(gvr, release);
  return printer === undefined ? shapeOf(defaultPrinter, []) : shapeOf(printer, resourceFacts(gvr).columns);
}
