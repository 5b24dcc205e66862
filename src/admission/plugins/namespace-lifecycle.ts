import { forbidden, notFound, type StatusError, withDetails } from "../../apimachinery/errors/errors.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";

const namespaces = { group: "", resource: "namespaces" };
const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Reviews about access in a namespace do not require that it exists. */
const accessReviews: ReadonlySet<string> = new Set(["localsubjectaccessreviews"]);

/** Rejects creates in a missing or terminating namespace, and deletes of the immortal namespaces. */
export function namespaceLifecycle(lister: Lister): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    handles: (operation) => operation !== "CONNECT",
    admit: (attributes) => checkNamespace(lister, attributes),
  };
}

function checkNamespace(lister: Lister, attributes: AdmissionAttributes): void {
  const { gvr, operation, namespace, name } = attributes;
  const isNamespace = gvr.group === "" && gvr.resource === "namespaces";
  if (operation === "DELETE") {
    if (isNamespace && immortal.has(name)) {
      throw forbidden(namespaces, name, "this namespace may not be deleted");
    }
    return;
  }
  if (operation !== "CREATE" || namespace === "" || isNamespace || accessReviews.has(gvr.resource)) return;
  const found = lister.get(namespaces, "", namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp) throw terminating(attributes);
}

function terminating(attributes: AdmissionAttributes): StatusError {
  const { gvr, namespace, object } = attributes;
  const name = object?.metadata.name || object?.metadata.generateName || "Unknown";
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  return withDetails(forbidden(gvr, name, text), {
    causes: [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }],
  });
}
