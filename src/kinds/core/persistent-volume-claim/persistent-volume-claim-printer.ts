import { textAt, textOr, textsAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf, quantityAt } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import { modesText, phaseText, storageClassText } from "../persistent-volume/volume-cell-text.ts";

export const persistentVolumeClaimPrinter: Printer = {
  cells(claim, now) {
    const volume = textAt(claim, "spec", "volumeName");
    const isBound = volume !== "";
    return [
      nameOf(claim),
      phaseText(claim),
      volume,
      isBound ? quantityAt(claim, "status", "capacity", "storage") : "",
      isBound ? modesText(textsAt(claim, "status", "accessModes")) : "",
      storageClassText(claim),
      textOr("<unset>", claim, "spec", "volumeAttributesClassName"),
      ageOf(claim, now),
      textOr("<unset>", claim, "spec", "volumeMode"),
    ];
  },
};
