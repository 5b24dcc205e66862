import { listAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import { humanDuration } from "../../apimachinery/go/human-duration.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, nameOf, orNone } from "../../codec/tables/cell-text.ts";
import { type GroupPrinters, type Printer, textColumns } from "../../codec/tables/printer.ts";

const roleBinding: Printer = {
  cells: (binding, now) => [
    nameOf(binding),
    `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`,
    ageOf(binding, now),
    subjectNames(binding, "User"),
    subjectNames(binding, "Group"),
    serviceAccounts(binding),
  ],
};

export const rbacPrinters: GroupPrinters = {
  rolebindings: roleBinding,
  clusterrolebindings: roleBinding,
};

export const certificatesPrinters: GroupPrinters = {
  certificatesigningrequests: {
    cells: (request, now) => [
      nameOf(request),
      ageOf(request, now),
      orNone(textAt(request, "spec", "signerName")),
      textAt(request, "spec", "username"),
      requestedDuration(request),
      requestCondition(request),
    ],
  },
  clustertrustbundles: {
    cells: (bundle) => [nameOf(bundle), orNone(textAt(bundle, "spec", "signerName"))],
  },
  podcertificaterequests: {
    columns: textColumns("Name", "PodName", "ServiceAccountName", "NodeName", "SignerName", "State"),
    cells: (request) => [
      nameOf(request),
      textAt(request, "spec", "podName"),
      textAt(request, "spec", "serviceAccountName"),
      textAt(request, "spec", "nodeName"),
      textAt(request, "spec", "signerName"),
      podRequestState(request),
    ],
  },
};

function subjectNames(binding: KubeObject, kind: string): string {
  return listAt(binding, "subjects")
    .filter((subject) => subject.kind === kind)
    .map((subject) => textAt(subject, "name"))
    .join(", ");
}

function serviceAccounts(binding: KubeObject): string {
  return listAt(binding, "subjects")
    .filter(({ kind }) => kind === "ServiceAccount")
    .map((subject) => `${textAt(subject, "namespace")}/${textAt(subject, "name")}`)
    .join(", ");
}

function requestedDuration(request: KubeObject): string {
  const seconds = valueAt(request, "spec", "expirationSeconds");
  return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
}

/** Whatever the status of the conditions: their being there is what counts. */
function requestCondition(request: KubeObject): string {
  const types = new Set(listAt(request, "status", "conditions").map(({ type }) => type));
  let text = types.has("Approved") ? "Approved" : "Pending";
  if (types.has("Denied")) text = "Denied";
  if (types.has("Failed")) text += ",Failed";
  return textAt(request, "status", "certificate") === "" ? text : `${text},Issued`;
}

function podRequestState(request: KubeObject): string {
  const outcomes = new Set(["Issued", "Denied", "Failed"]);
  const last = listAt(request, "status", "conditions").findLast((condition) =>
    outcomes.has(textAt(condition, "type")),
  );
  return last === undefined ? "Pending" : textAt(last, "type");
}
