import { all, type Defaulter, inStruct, whenUnset, whenZero } from "./defaulter.ts";
import { roundedAmounts } from "./resource-list.ts";
import { sharedSourceDefaults } from "./volume.ts";

/** PersistentVolume */
export const persistentVolumeDefaults: Defaulter = all(
  inStruct(
    "spec",
    whenZero({ persistentVolumeReclaimPolicy: "Retain" }),
    whenUnset({ volumeMode: "Filesystem" }),
    roundedAmounts("capacity"),
    sharedSourceDefaults,
  ),
  inStruct("status", whenZero({ phase: "Pending" })),
);
