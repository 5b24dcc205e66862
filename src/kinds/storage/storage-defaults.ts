import type { MutableJsonObject } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type Defaulter, ifSet, inStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";
import { sharedSourceDefaults } from "../pod-spec/defaults/volume-defaults.ts";
import { roundedAmounts } from "../quantities/resource-list.ts";

/** StorageClass */
export const storageClassDefaults: Defaulter = whenUnset({
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
});

/** CSIDriver */
export function csiDriverDefaults(driver: MutableJsonObject, gates: FeatureGates): void {
  driverSpec(driver);
  for (const [gate, fill] of gatedDriverSpec) if (gates.isEnabled(gate)) fill(driver);
}

const driverSpec = inStruct(
  "spec",
  whenUnset({ attachRequired: true, podInfoOnMount: false }),
  whenZero({ volumeLifecycleModes: ["Persistent"] }),
);
const gatedDriverSpec: readonly (readonly [gate: string, fill: Defaulter])[] = [
  ["CSIStorageCapacity", inStruct("spec", whenUnset({ storageCapacity: false }))],
  ["CSIVolumeFSGroupPolicy", inStruct("spec", whenUnset({ fsGroupPolicy: "ReadWriteOnceWithFSType" }))],
  ["CSIServiceAccountToken", inStruct("spec", whenUnset({ requiresRepublish: false }))],
  ["SELinuxMountReadWriteOncePod", inStruct("spec", whenUnset({ seLinuxMount: false }))],
];

/** VolumeAttachment, which may hold the volume itself */
export const volumeAttachmentDefaults: Defaulter = ifSet(
  "spec",
  ifSet("source", ifSet("inlineVolumeSpec", roundedAmounts("capacity"), sharedSourceDefaults)),
);
