import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, conditionOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const apiServicePrinter: Printer = {
  cells: (service, now) => [nameOf(service), backend(service), availability(service), ageOf(service, now)],
};

/** The service that serves the API, or `Local` for this server. */
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
