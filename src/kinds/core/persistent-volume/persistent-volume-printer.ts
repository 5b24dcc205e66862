import { objectAt, textAt, textOr, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf, quantityAt } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import { modesText, phaseText, storageClassText } from "./volume-cell-text.ts";

export const persistentVolumePrinter: Printer = {
  cells: (volume, now) => [
    nameOf(volume),
    quantityAt(volume, "spec", "capacity", "storage"),
    modesText(textsAt(volume, "spec", "accessModes")),
    textAt(volume, "spec", "persistentVolumeReclaimPolicy"),
    phaseText(volume),
    claimText(volume),
    storageClassText(volume),
    textOr("<unset>", volume, "spec", "volumeAttributesClassName"),
    textAt(volume, "status", "reason"),
    ageOf(volume, now),
    textOr("<unset>", volume, "spec", "volumeMode"),
  ],
};

function claimText(volume: KubeObject): string {
  const claim = objectAt(volume, "spec", "claimRef");
  return claim === undefined ? "" : `${textAt(claim, "namespace")}/${textAt(claim, "name")}`;
}
