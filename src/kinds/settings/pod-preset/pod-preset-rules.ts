import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { podPresetDefaults } from "./pod-preset-defaults.ts";

export const podPresetRules: KindRules<"podpresets"> = {
  versions: {
    "settings.k8s.io/v1alpha1": { defaults: podPresetDefaults },
  },
};
