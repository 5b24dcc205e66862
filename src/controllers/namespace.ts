import type { Lister } from "../apimachinery/lister.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const namespaces = { group: "", resource: "namespaces" };

/**
 * Deletes the content of terminating namespaces, reports the progress in their conditions, and removes the finalizer
 * of empty ones. `terminating` has the names of those that are terminating.
 */
export function namespaceController(
  lister: Lister,
  client: ControllerClient,
  resources: () => readonly ApiResource[],
  now: () => number,
  terminating: Set<string>,
): Controller {
  return {
    name: "namespace-controller",
    observe: ({ type, object: { kind, metadata } }) => {
      const { name = "", namespace = "", deletionTimestamp } = metadata;
      if (kind !== "Namespace") return terminating.has(namespace) ? [namespace] : [];
      if (type === "put" && deletionTimestamp) terminating.add(name);
      else terminating.delete(name);
      return terminating.has(name) ? [name] : [];
    },
    reconcile: async (name) => {
      const namespace = lister.get(namespaces, "", name);
      if (!namespace?.metadata.deletionTimestamp) return;
      const { deleteNamespace } = await import("./namespace-content.ts");
      await deleteNamespace(namespace, lister, client, resources(), now());
    },
  };
}
