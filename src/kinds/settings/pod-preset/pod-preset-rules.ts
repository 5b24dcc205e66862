import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podPresetDefaults } from "./pod-preset-defaults.ts";

export const podPresetRules: BuiltInRules<"podpresets"> = {
  versions: {
    "settings.k8s.io/v1alpha1": { defaults: podPresetDefaults },
  },
};
