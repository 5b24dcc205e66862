import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  alphaPriorityLevelDefaults,
  earlyPriorityLevelDefaults,
  priorityLevelDefaults,
  v1beta3PriorityLevelDefaults,
} from "../flowcontrol-defaults.ts";
import {
  priorityLevelConfigurationStrategy,
  priorityLevelStatusStrategy,
} from "./priority-level-configuration.ts";

export const priorityLevelConfigurationRules: KindRules<"prioritylevelconfigurations"> = {
  strategy: priorityLevelConfigurationStrategy,
  versions: {
    "flowcontrol.apiserver.k8s.io/v1": { defaults: priorityLevelDefaults },
    "flowcontrol.apiserver.k8s.io/v1alpha1": { defaults: alphaPriorityLevelDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta1": { defaults: earlyPriorityLevelDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta2": { defaults: earlyPriorityLevelDefaults },
    "flowcontrol.apiserver.k8s.io/v1beta3": { defaults: v1beta3PriorityLevelDefaults },
  },
  subresources: {
    status: { strategy: priorityLevelStatusStrategy },
  },
};
