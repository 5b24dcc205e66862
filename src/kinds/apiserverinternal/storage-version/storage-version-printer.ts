import { listAt, textAt, textOr } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, firstFew, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** How many servers a cell lists before it counts the rest. */
const maxListedServers = 3;

export const storageVersionPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textOr("<unset>", object, "status", "commonEncodingVersion"),
    firstFew(storageVersions(object), maxListedServers) || "<unset>",
    ageOf(object, now),
  ],
};

function storageVersions(object: KubeObject): readonly string[] {
  return listAt(object, "status", "storageVersions").map(
    (version) => `${textAt(version, "apiServerID")}=${textAt(version, "encodingVersion")}`,
  );
}
