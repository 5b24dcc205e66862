import { listAt, textAt, textOr, textsAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { ageOf, firstFew, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The maximum number of addresses or ports in a cell. */
const shownMax = 3;

export const endpointSlicePrinter: Printer = {
  cells: (slice, now) => [
    nameOf(slice),
    textAt(slice, "addressType"),
    firstFew(listAt(slice, "ports").map(slicePort), shownMax) || "<unset>",
    firstFew(
      listAt(slice, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses")),
      shownMax,
    ) || "<unset>",
    ageOf(slice, now),
  ],
};

function slicePort(port: JsonObject): string {
  const number = valueAt(port, "port");
  return typeof number === "number" ? String(number) : textOr("*", port, "name");
}
