import type { Lister } from "../../apimachinery/lister.ts";
import type { ObjectChange } from "./controller.ts";

const namespaces = { group: "", resource: "namespaces" };

/** Whether the namespace exists and is not terminating. */
export function isActive(lister: Lister, name: string): boolean {
  const namespace = lister.get(namespaces, "", name);
  return namespace !== undefined && !namespace.metadata.deletionTimestamp;
}

/** The name of a new or changed namespace that is not terminating. */
export function activeNamespaceOf({ type, object }: ObjectChange): readonly string[] {
  const isActiveNamespace =
    type === "put" && object.kind === "Namespace" && !object.metadata.deletionTimestamp;
  return isActiveNamespace ? [object.metadata.name ?? ""] : [];
}
