import { booleanAt, textAt, textOr } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

const defaultClassAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassPrinter: Printer = {
  cells: (object, now) => [
    isDefaultClass(object) ? `${nameOf(object)} (default)` : nameOf(object),
    textAt(object, "provisioner"),
    textOr("Delete", object, "reclaimPolicy"),
    textOr("Immediate", object, "volumeBindingMode"),
    booleanAt(object, "allowVolumeExpansion"),
    ageOf(object, now),
  ],
};

function isDefaultClass({ metadata }: KubeObject): boolean {
  return defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === "true");
}
