import { all, type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";

/** What a claim asks for, in a PersistentVolumeClaim or in the template of one. */
export const claimSpecDefaults: Defaulter = all(
  whenUnset({ volumeMode: "Filesystem" }),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** PersistentVolumeClaim, on its own and in a StatefulSet. */
export const persistentVolumeClaimDefaults: Defaulter = all(
  inStruct("spec", claimSpecDefaults),
  inStruct("status", whenZero({ phase: "Pending" }), roundedAmounts("capacity", "allocatedResources")),
);
