import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addCsiDriverChangeErrors, addCsiDriverErrors } from "./csi-driver-validation.ts";

/** The fields behind feature gates. */
const gatedFields = [
  gatedField("CSIInlineVolume", "spec", "volumeLifecycleModes"),
  gatedField("CSIVolumeFSGroupPolicy", "spec", "fsGroupPolicy"),
  gatedField("CSIServiceAccountToken", "spec", "requiresRepublish"),
  gatedField("CSIServiceAccountToken", "spec", "tokenRequests"),
  gatedField("CSIServiceAccountTokenSecrets", "spec", "serviceAccountTokenInSecrets"),
  gatedField("CSIStorageCapacity", "spec", "storageCapacity"),
  gatedField("SELinuxMountReadWriteOncePod", "spec", "seLinuxMount"),
  gatedField("MutableCSINodeAllocatableCount", "spec", "nodeAllocatableUpdatePeriodSeconds"),
  gatedField("VolumeLimitScaling", "spec", "preventPodSchedulingIfMissing"),
];

/** The strategy of CSIDrivers. */
export function csiDriverStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: addCsiDriverErrors,
    validateUpdate: (errors, object, old) => {
      addCsiDriverErrors(errors, object);
      addCsiDriverChangeErrors(errors, object, old);
    },
  };
  return withGeneration(withGatedFields(strategy, gates, gatedFields), changed("spec"));
}
