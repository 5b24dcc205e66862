import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const finalizers: ReadonlyMap<string, string> = new Map([
  ["persistentvolumeclaims", "kubernetes.io/pvc-protection"],
  ["persistentvolumes", "kubernetes.io/pv-protection"],
]);

/** Adds finalizers to volumes and claims so that they stay while they are in use. */
export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object, gvr } = attributes;
      const finalizer = finalizers.get(gvr.resource);
      if (object === undefined || finalizer === undefined || !isAbout(attributes, "", gvr.resource)) return;
      const known = object.metadata.finalizers ?? [];
      if (!known.includes(finalizer)) object.metadata.finalizers = [...known, finalizer];
    },
  };
}
