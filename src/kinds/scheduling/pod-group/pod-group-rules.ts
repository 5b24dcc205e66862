import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { podGroupDefaults } from "./pod-group-defaults.ts";

export const podGroupRules: KindRules<"podgroups"> = {
  versions: {
    "scheduling.k8s.io/v1alpha2": { defaults: podGroupDefaults },
  },
};
