import { textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const classes = { group: "storage.k8s.io", resource: "storageclasses" };

/** Allows claims to grow only when they are bound and their storage class allows expansion. */
export function persistentVolumeClaimResize(lister: Lister): AdmissionPlugin {
  return {
    name: "PersistentVolumeClaimResize",
    handles: (operation) => operation === "UPDATE",
    validate: (attributes) => {
      const { object, oldObject } = attributes;
      if (object === undefined || oldObject === undefined) return;
      if (isAbout(attributes, "", "persistentvolumeclaims"))
        checkGrowth(lister, attributes, object, oldObject);
    },
  };
}

function checkGrowth(
  lister: Lister,
  attributes: AdmissionAttributes,
  claim: KubeObject,
  old: KubeObject,
): void {
  if (parseQuantity(requested(claim)).compare(parseQuantity(requested(old))) <= 0) return;
  if (textAt(old, "status", "phase") !== "Bound") {
    throw refused(attributes, "Only bound persistent volume claims can be expanded");
  }
  const storageClass = lister.get(classes, "", textAt(claim, "spec", "storageClassName"));
  if (storageClass?.["allowVolumeExpansion"] === true) return;
  throw refused(
    attributes,
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}

function requested(claim: KubeObject): string {
  return textAt(claim, "spec", "resources", "requests", "storage") || "0";
}
