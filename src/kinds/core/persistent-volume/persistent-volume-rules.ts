import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from "./persistent-volume.ts";
import { persistentVolumeDefaults } from "./persistent-volume-defaults.ts";

export const persistentVolumeRules: BuiltInRules<"persistentvolumes"> = {
  strategy: persistentVolumeStrategy,
  versions: {
    v1: { defaults: persistentVolumeDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeStatusStrategy },
  },
};
