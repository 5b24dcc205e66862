import type { Controller } from "./contract/controller.ts";
import type { NamespaceEnvironment } from "./namespace-content.ts";

const namespaces = { group: "", resource: "namespaces" };

/**
 * Deletes the content of terminating namespaces, reports the progress in their conditions, and removes the finalizer
 * of empty ones. `terminating` has the names of those that are terminating.
 */
export function namespaceController(environment: NamespaceEnvironment, terminating: Set<string>): Controller {
  return {
    name: "namespace-controller",
    observe: ({ type, object: { kind, metadata } }) => {
      const { name = "", namespace = "", deletionTimestamp } = metadata;
      // Its API may have become available.
      if (kind === "APIService") return terminating;
      if (kind !== "Namespace") return terminating.has(namespace) ? [namespace] : [];
      if (type === "put" && deletionTimestamp) terminating.add(name);
      else terminating.delete(name);
      return terminating.has(name) ? [name] : [];
    },
    reconcile: async (name) => {
      const namespace = environment.lister.get(namespaces, "", name);
      if (!namespace?.metadata.deletionTimestamp) return;
      const { deleteNamespace } = await import("./namespace-content.ts");
      await deleteNamespace(namespace, environment);
    },
  };
}
