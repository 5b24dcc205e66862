import { all, type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { roundedAmounts } from "../../quantities/resource-list.ts";

/** The defaults of a claim's spec, in a PersistentVolumeClaim or a claim template. */
export const claimSpecDefaults: Defaulter = all(
  whenUnset({ volumeMode: "Filesystem" }),
  ifSet("resources", roundedAmounts("limits", "requests")),
);

/** The defaults of a PersistentVolumeClaim, also in a StatefulSet. */
export const persistentVolumeClaimDefaults: Defaulter = all(
  inStruct("spec", claimSpecDefaults),
  inStruct("status", whenZero({ phase: "Pending" }), roundedAmounts("capacity", "allocatedResources")),
);
