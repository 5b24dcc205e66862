import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const resourceSlicePrinter: Printer = {
  cells: (slice, now) =>
    slice.apiVersion.endsWith("/v1alpha2")
      ? alphaCells(slice, now)
      : [
          nameOf(slice),
          textAt(slice, "spec", "nodeName"),
          textAt(slice, "spec", "driver"),
          textAt(slice, "spec", "pool", "name"),
          ageOf(slice, now),
        ],
};

/** Of a slice of 1.30, which is in no pool. */
function alphaCells(slice: KubeObject, now: number) {
  return [nameOf(slice), textAt(slice, "nodeName"), textAt(slice, "driverName"), "", ageOf(slice, now)];
}
