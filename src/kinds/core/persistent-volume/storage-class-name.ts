import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

/** The annotation that names the storage class in the beta API. */
export const BETA_STORAGE_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** The storage class of a volume or a claim. The beta annotation takes precedence over the field. */
export function storageClassName(object: KubeObject): string {
  return (
    object.metadata.annotations?.[BETA_STORAGE_CLASS_ANNOTATION] ?? textAt(object, "spec", "storageClassName")
  );
}
