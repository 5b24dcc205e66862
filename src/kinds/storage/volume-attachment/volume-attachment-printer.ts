import { booleanAt, textAt } from "../../../apimachinery/fields.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const volumeAttachmentPrinter: Printer = {
  cells: (object, now) => [
    nameOf(object),
    textAt(object, "spec", "attacher"),
    textAt(object, "spec", "source", "persistentVolumeName"),
    textAt(object, "spec", "nodeName"),
    booleanAt(object, "status", "attached"),
    ageOf(object, now),
  ],
};
