import type { Lister } from "../../apimachinery/lister.ts";
import type { ObjectChange } from "./controller.ts";

const namespaces = { group: "", resource: "namespaces" };

/** Whether the namespace is there and not about to go. */
export function isActive(lister: Lister, name: string): boolean {
  const namespace = lister.get(namespaces, "", name);
  return namespace !== undefined && !namespace.metadata.deletionTimestamp;
}

/** The name of a namespace that has been made or changed and is not about to go. */
export function activeNamespaceOf({ type, object }: ObjectChange): readonly string[] {
  const isActiveNamespace =
    type === "put" && object.kind === "Namespace" && !object.metadata.deletionTimestamp;
  return isActiveNamespace ? [object.metadata.name ?? ""] : [];
}
