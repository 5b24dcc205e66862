import { structAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { BETA_STORAGE_CLASS_ANNOTATION } from "../../kinds/core/persistent-volume/storage-class-name.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";
import { defaultClass } from "./default-class.ts";

const classes = { group: "storage.k8s.io", resource: "storageclasses" };
const annotation = "storageclass.kubernetes.io/is-default-class";
const betaAnnotation = "storageclass.beta.kubernetes.io/is-default-class";

/** The name of the default storage class; undefined if there is none. */
export function defaultStorageClassName(lister: Lister): string | undefined {
  return defaultClass(lister, classes, annotation, betaAnnotation)?.metadata.name;
}

/** Sets the default storage class on new claims without a class. An empty class name means no class. */
export function defaultStorageClass(lister: Lister): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    handles: (operation) => operation === "CREATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "persistentvolumeclaims")) return;
      const spec = structAt(object, "spec");
      if (spec["storageClassName"] !== undefined) return;
      if (object.metadata.annotations?.[BETA_STORAGE_CLASS_ANNOTATION] !== undefined) return;
      const name = defaultStorageClassName(lister);
      if (name !== undefined) object["spec"] = { ...spec, storageClassName: name };
    },
  };
}
