import { type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "./defaulter.ts";
import { roundedAmounts } from "./resource-list.ts";
import { sharedSourceDefaults } from "./volume.ts";

/** StorageClass */
export const storageClassDefaults: Defaulter = whenUnset({
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
});

/** CSIDriver */
export const csiDriverDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
  }),
  whenZero({ volumeLifecycleModes: ["Persistent"] }),
);

/** VolumeAttachment, which may hold the volume itself */
export const volumeAttachmentDefaults: Defaulter = ifSet(
  "spec",
  ifSet("source", ifSet("inlineVolumeSpec", roundedAmounts("capacity"), sharedSourceDefaults)),
);
