import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";

/** The protected resources with their groups, and how their finalizers name them. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["/persistentvolumeclaims", "pvc"],
  ["/persistentvolumes", "pv"],
  ["storage.k8s.io/volumeattributesclasses", "vac"],
]);

/** Adds finalizers to volumes and claims, and since 1.32 to VolumeAttributesClasses, so that they stay while they are in use. */
export function storageObjectInUseProtection({ isEnabled, since }: FeatureGates): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    handles: (operation) => operation === "CREATE",
    admit: ({ object, gvr: { group, resource }, subresource }) => {
      const short = shortNames.get(`${group}/${resource}`);
      if (object === undefined || short === undefined || subresource !== "") return;
      if (short === "vac" && !(since("1.32") && isEnabled("VolumeAttributesClass"))) return;
      const finalizer = `kubernetes.io/${short}-protection`;
      const known = object.metadata.finalizers ?? [];
      if (!known.includes(finalizer)) object.metadata.finalizers = [...known, finalizer];
    },
  };
}
