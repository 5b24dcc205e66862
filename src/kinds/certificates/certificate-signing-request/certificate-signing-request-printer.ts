import { listAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { humanDuration } from "../../../apimachinery/go/human-duration.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const certificateSigningRequestPrinter: Printer = {
  cells: (request, now) => [
    nameOf(request),
    ageOf(request, now),
    orNone(textAt(request, "spec", "signerName")),
    textAt(request, "spec", "username"),
    requestedDuration(request),
    requestCondition(request),
  ],
};

function requestedDuration(request: KubeObject): string {
  const seconds = valueAt(request, "spec", "expirationSeconds");
  return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
}

/** A condition counts if it is present, whatever its status is. */
function requestCondition(request: KubeObject): string {
  const types = new Set(listAt(request, "status", "conditions").map(({ type }) => type));
  let text = types.has("Approved") ? "Approved" : "Pending";
  if (types.has("Denied")) text = "Denied";
  if (types.has("Failed")) text += ",Failed";
  return textAt(request, "status", "certificate") === "" ? text : `${text},Issued`;
}
