import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from "./persistent-volume.ts";
import { persistentVolumeDefaults } from "./persistent-volume-defaults.ts";
import { persistentVolumePrinter } from "./persistent-volume-printer.ts";

export const persistentVolumeRules: BuiltInRules<"persistentvolumes"> = {
  printer: persistentVolumePrinter,
  strategy: persistentVolumeStrategy,
  versions: {
    v1: { defaults: persistentVolumeDefaults },
  },
  subresources: {
    status: { strategy: persistentVolumeStatusStrategy },
  },
};
