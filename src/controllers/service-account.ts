import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { activeNamespaceOf, isActive } from "./contract/namespaces.ts";

const serviceAccounts = { group: "", resource: "serviceaccounts" };

/** The ServiceAccount that every namespace has. */
export function defaultServiceAccount(namespace: string): KubeObject {
  return { kind: "ServiceAccount", apiVersion: "v1", metadata: { name: "default", namespace } };
}

/** Maintains the ServiceAccount `default` in every namespace. */
export function serviceAccountController(lister: Lister, client: ControllerClient): Controller {
  return {
    name: "serviceaccount-controller",
    kinds: ["Namespace", "ServiceAccount"],
    observe: (change) => {
      const { object } = change;
      if (
        object.kind === "ServiceAccount" &&
        object.metadata.name === "default" &&
        change.type === "delete"
      ) {
        return [object.metadata.namespace ?? ""];
      }
      return activeNamespaceOf(change);
    },
    reconcile: async (namespace) => {
      if (!isActive(lister, namespace)) return;
      if (lister.get(serviceAccounts, namespace, "default") !== undefined) return;
      await client.create(defaultServiceAccount(namespace)).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    },
  };
}
