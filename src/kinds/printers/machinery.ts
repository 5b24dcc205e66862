import { listAt, objectAt, textAt, textOr } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, conditionOf, firstFew, nameOf } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";

/** How many servers a cell holds. */
const MOST = 3;

export const apiregistrationPrinters: GroupPrinters = {
  apiservices: {
    cells: (service, now) => [nameOf(service), backend(service), availability(service), ageOf(service, now)],
  },
};

export const internalPrinters: GroupPrinters = {
  storageversions: {
    cells: (object, now) => [
      nameOf(object),
      textOr("<unset>", object, "status", "commonEncodingVersion"),
      firstFew(storageVersions(object), MOST) || "<unset>",
      ageOf(object, now),
    ],
  },
};

/** The service behind the API, or this server. */
function backend(service: KubeObject): string {
  const reference = objectAt(service, "spec", "service");
  return reference === undefined ? "Local" : `${textAt(reference, "namespace")}/${textAt(reference, "name")}`;
}

function availability(service: KubeObject): string {
  const available = conditionOf(service, "Available");
  if (available === undefined) return "Unknown";
  const status = textAt(available, "status");
  const reason = textAt(available, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}

function storageVersions(object: KubeObject): readonly string[] {
  return listAt(object, "status", "storageVersions").map(
    (version) => `${textAt(version, "apiServerID")}=${textAt(version, "encodingVersion")}`,
  );
}
