import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { formatGroupResource } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const ipAddressPrinter: Printer = {
  // Upstream sends the age, although it has no column.
  cells: (object, now) => [nameOf(object), parent(objectAt(object, "spec", "parentRef")), ageOf(object, now)],
};

/** The parent as `resource.group/namespace/name`. */
function parent(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<none>";
  const resource = formatGroupResource({
    group: textAt(reference, "group"),
    resource: textAt(reference, "resource"),
  }).toLowerCase();
  const namespace = textAt(reference, "namespace");
  return [resource, ...(namespace === "" ? [] : [namespace]), textAt(reference, "name")].join("/");
}
