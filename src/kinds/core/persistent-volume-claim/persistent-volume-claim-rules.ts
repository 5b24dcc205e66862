import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { persistentVolumeClaimDefaults } from "../../pod-spec/defaults/persistent-volume-claim-defaults.ts";
import {
  persistentVolumeClaimStatusStrategy,
  persistentVolumeClaimStrategy,
} from "./persistent-volume-claim.ts";
import { persistentVolumeClaimPrinter } from "./persistent-volume-claim-printer.ts";

export const persistentVolumeClaimRules: BuiltInRules<"persistentvolumeclaims"> = {
  printer: persistentVolumeClaimPrinter,
  strategy: persistentVolumeClaimStrategy,
  versions: {
    v1: { defaults: persistentVolumeClaimDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeClaimStatusStrategy },
  },
};
