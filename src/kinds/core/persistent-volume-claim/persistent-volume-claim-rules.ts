import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { persistentVolumeClaimDefaults } from "../../pod-spec/defaults/persistent-volume-claim-defaults.ts";
import {
  persistentVolumeClaimStatusStrategy,
  persistentVolumeClaimStrategy,
} from "./persistent-volume-claim.ts";

export const persistentVolumeClaimRules: BuiltInRules<"persistentvolumeclaims"> = {
  strategy: persistentVolumeClaimStrategy,
  versions: {
    v1: { defaults: persistentVolumeClaimDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeClaimStatusStrategy },
  },
};
