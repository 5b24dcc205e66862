import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from "./persistent-volume.ts";
import { persistentVolumeDefaults } from "./persistent-volume-defaults.ts";

export const persistentVolumeRules: KindRules<"persistentvolumes"> = {
  strategy: persistentVolumeStrategy,
  versions: {
    v1: { defaults: persistentVolumeDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeStatusStrategy },
  },
};
