import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

const outcomes: ReadonlySet<string> = new Set(["Issued", "Denied", "Failed"]);

export const podCertificateRequestPrinter: Printer = {
  columns: textColumns("Name", "PodName", "ServiceAccountName", "NodeName", "SignerName", "State"),
  cells: (request) => [
    nameOf(request),
    textAt(request, "spec", "podName"),
    textAt(request, "spec", "serviceAccountName"),
    textAt(request, "spec", "nodeName"),
    textAt(request, "spec", "signerName"),
    stateOf(request),
  ],
};

function stateOf(request: KubeObject): string {
  const last = listAt(request, "status", "conditions").findLast((condition) =>
    outcomes.has(textAt(condition, "type")),
  );
  return last === undefined ? "Pending" : textAt(last, "type");
}
