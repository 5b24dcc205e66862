import type { KubeObject, OwnerReference } from "../../../apimachinery/object-meta.ts";

/** The reference to the controller of an object, if it has one. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Whether an object is the controller of another one. */
export function isControlledBy(object: KubeObject, { metadata }: KubeObject): boolean {
  return controllerOf(object)?.uid === metadata.uid;
}

/** The reference by which an object controls others. Upstream: `metav1.NewControllerRef`. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
