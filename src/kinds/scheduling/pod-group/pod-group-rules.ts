import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { podGroupDefaults } from "./pod-group-defaults.ts";
import { podGroupStatusStrategy, podGroupStrategy } from "./pod-group-strategy.ts";

export const podGroupRules: BuiltInRules<"podgroups"> = {
  strategy: podGroupStrategy,
  versions: {
    "scheduling.k8s.io/v1alpha2": { defaults: podGroupDefaults },
  },
  subresources: {
    status: { strategy: podGroupStatusStrategy },
  },
};
