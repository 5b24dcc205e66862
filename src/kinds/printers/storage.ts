import { booleanAt, listAt, sizeAt, textAt, textOr, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, nameOf, orNone } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";

const defaultClassAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storagePrinters: GroupPrinters = {
  csidrivers: {
    cells: (driver, now) => [
      nameOf(driver),
      valueAt(driver, "spec", "attachRequired") !== false,
      booleanAt(driver, "spec", "podInfoOnMount"),
      booleanAt(driver, "spec", "storageCapacity"),
      tokenAudiences(driver),
      booleanAt(driver, "spec", "requiresRepublish"),
      orNone(textsAt(driver, "spec", "volumeLifecycleModes").join(",")),
      ageOf(driver, now),
    ],
  },
  csinodes: {
    cells: (object, now) => [nameOf(object), sizeAt(object, "spec", "drivers"), ageOf(object, now)],
  },
  storageclasses: {
    cells: (object, now) => [
      isDefaultClass(object) ? `${nameOf(object)} (default)` : nameOf(object),
      textAt(object, "provisioner"),
      textOr("Delete", object, "reclaimPolicy"),
      textOr("Immediate", object, "volumeBindingMode"),
      booleanAt(object, "allowVolumeExpansion"),
      ageOf(object, now),
    ],
  },
  volumeattachments: {
    cells: (object, now) => [
      nameOf(object),
      textAt(object, "spec", "attacher"),
      textAt(object, "spec", "source", "persistentVolumeName"),
      textAt(object, "spec", "nodeName"),
      booleanAt(object, "status", "attached"),
      ageOf(object, now),
    ],
  },
  volumeattributesclasses: {
    cells: (object, now) => [nameOf(object), textAt(object, "driverName"), ageOf(object, now)],
  },
};

function isDefaultClass({ metadata }: KubeObject): boolean {
  return defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === "true");
}

function tokenAudiences(driver: KubeObject): string {
  if (!Array.isArray(valueAt(driver, "spec", "tokenRequests"))) return "<unset>";
  return listAt(driver, "spec", "tokenRequests")
    .map((request) => textAt(request, "audience"))
    .join(",");
}
