import { booleanAt, listAt, textAt, textsAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const csiDriverPrinter: Printer = {
  cells: (driver, now) => [
    nameOf(driver),
    valueAt(driver, "spec", "attachRequired") !== false,
    booleanAt(driver, "spec", "podInfoOnMount"),
    booleanAt(driver, "spec", "storageCapacity"),
    tokenAudiences(driver),
    booleanAt(driver, "spec", "requiresRepublish"),
    orNone(textsAt(driver, "spec", "volumeLifecycleModes").join(",")),
    ageOf(driver, now),
  ],
};

function tokenAudiences(driver: KubeObject): string {
  if (!Array.isArray(valueAt(driver, "spec", "tokenRequests"))) return "<unset>";
  return listAt(driver, "spec", "tokenRequests")
    .map((request) => textAt(request, "audience"))
    .join(",");
}
