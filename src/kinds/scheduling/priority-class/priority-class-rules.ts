import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { priorityClassDefaults } from "./priority-class-defaults.ts";
import { priorityClassStrategy } from "./priority-class-strategy.ts";

export const priorityClassRules: BuiltInRules<"priorityclasses"> = {
  strategy: priorityClassStrategy,
  versions: {
    "scheduling.k8s.io/v1": { defaults: priorityClassDefaults },
    "scheduling.k8s.io/v1alpha1": { defaults: priorityClassDefaults },
    "scheduling.k8s.io/v1beta1": { defaults: priorityClassDefaults },
  },
};
