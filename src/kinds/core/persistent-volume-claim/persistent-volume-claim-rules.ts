import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { persistentVolumeClaimDefaults } from "../../pod-spec/defaults/persistent-volume-claim-defaults.ts";
import {
  persistentVolumeClaimStatusStrategy,
  persistentVolumeClaimStrategy,
} from "./persistent-volume-claim.ts";

export const persistentVolumeClaimRules: KindRules<"persistentvolumeclaims"> = {
  strategy: persistentVolumeClaimStrategy,
  versions: {
    v1: { defaults: persistentVolumeClaimDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeClaimStatusStrategy },
  },
};
