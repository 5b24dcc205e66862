import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** The finalizer of an object whose dependents are to stay. */
export const orphanFinalizer = "orphan";
/** The finalizer of an object whose dependents are to be deleted first. */
export const foregroundFinalizer = "foregroundDeletion";

/** The deletion policy that the finalizers of an object stand for. */
export function policyOf(object: KubeObject): "Orphan" | "Background" | "Foreground" {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}
