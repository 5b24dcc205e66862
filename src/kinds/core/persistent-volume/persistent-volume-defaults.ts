import { all, type Defaulter, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { sharedSourceDefaults } from "../../pod-spec/defaults/volume-defaults.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";

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
