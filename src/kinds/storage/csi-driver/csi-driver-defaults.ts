import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type Defaulter, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";

const specDefaults = inStruct(
  "spec",
  whenUnset({ attachRequired: true, podInfoOnMount: false }),
  whenZero({ volumeLifecycleModes: ["Persistent"] }),
);

const gatedDefaults: readonly (readonly [gate: string, fill: Defaulter])[] = [
  ["CSIStorageCapacity", inStruct("spec", whenUnset({ storageCapacity: false }))],
  ["CSIVolumeFSGroupPolicy", inStruct("spec", whenUnset({ fsGroupPolicy: "ReadWriteOnceWithFSType" }))],
  ["CSIServiceAccountToken", inStruct("spec", whenUnset({ requiresRepublish: false }))],
  ["SELinuxMountReadWriteOncePod", inStruct("spec", whenUnset({ seLinuxMount: false }))],
];

/** CSIDriver. Upstream: pkg/apis/storage/v1/defaults.go, SetDefaults_CSIDriver. */
export function csiDriverDefaults(driver: MutableJsonObject, gates: FeatureGates): void {
  specDefaults(driver);
  for (const [gate, fill] of gatedDefaults) if (gates.isEnabled(gate)) fill(driver);
}
