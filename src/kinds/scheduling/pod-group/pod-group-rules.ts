import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podGroupDefaults } from "./pod-group-defaults.ts";

export const podGroupRules: BuiltInRules<"podgroups"> = {
  versions: {
    "scheduling.k8s.io/v1alpha2": { defaults: podGroupDefaults },
  },
};
