import { notFound, StatusError } from "../../apimachinery/errors/errors.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";

const namespaces = { group: "", resource: "namespaces" };

/** Refuses requests in namespaces that do not exist. Upstream: plugin/pkg/admission/namespace/exists. */
export function namespaceExists(lister: Lister): AdmissionPlugin {
  return {
    name: "NamespaceExists",
    handles: (operation) => operation !== "CONNECT",
    validate: ({ gvk, namespace }) => {
      if (namespace === "" || (gvk.group === "" && gvk.kind === "Namespace")) return;
      if (lister.get(namespaces, "", namespace) === undefined) throw notFound(namespaces, namespace);
    },
  };
}

/** Creates a missing namespace when the first object in it is created. Upstream: plugin/pkg/admission/namespace/autoprovision. */
export function namespaceAutoProvision(
  lister: Lister,
  createNamespace: (name: string) => Promise<unknown>,
): AdmissionPlugin {
  return {
    name: "NamespaceAutoProvision",
    handles: (operation) => operation === "CREATE",
    admit: async (attributes) => {
      const { gvk, namespace, dryRun } = attributes;
      if (namespace === "" || dryRun || (gvk.group === "" && gvk.kind === "Namespace")) return;
      if (lister.get(namespaces, "", namespace) !== undefined) return;
      try {
        await createNamespace(namespace);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (error.status.reason !== "AlreadyExists") throw refused(attributes, error.message);
      }
    },
  };
}
