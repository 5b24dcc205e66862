import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions } from "../../../registry/contract/version-form.ts";
import {
  alphaPriorityLevelConfigurationDefaults,
  earlyPriorityLevelConfigurationDefaults,
  priorityLevelConfigurationDefaults,
  v1beta3PriorityLevelConfigurationDefaults,
} from "./priority-level-configuration-defaults.ts";
import { priorityLevelForms } from "./priority-level-configuration-forms.ts";
import {
  priorityLevelConfigurationStatusStrategy,
  priorityLevelConfigurationStrategy,
} from "./priority-level-configuration-strategy.ts";

const conversions = formConversions(priorityLevelForms);

export const priorityLevelConfigurationRules: BuiltInRules<"prioritylevelconfigurations"> = {
  strategy: priorityLevelConfigurationStrategy,
  versions: {
    "flowcontrol.apiserver.k8s.io/v1": {
      ...conversions["flowcontrol.apiserver.k8s.io/v1"],
      defaults: priorityLevelConfigurationDefaults,
    },
    "flowcontrol.apiserver.k8s.io/v1alpha1": {
      ...conversions["flowcontrol.apiserver.k8s.io/v1alpha1"],
      defaults: alphaPriorityLevelConfigurationDefaults,
    },
    "flowcontrol.apiserver.k8s.io/v1beta1": {
      ...conversions["flowcontrol.apiserver.k8s.io/v1beta1"],
      defaults: earlyPriorityLevelConfigurationDefaults,
    },
    "flowcontrol.apiserver.k8s.io/v1beta2": {
      ...conversions["flowcontrol.apiserver.k8s.io/v1beta2"],
      defaults: earlyPriorityLevelConfigurationDefaults,
    },
    "flowcontrol.apiserver.k8s.io/v1beta3": {
      ...conversions["flowcontrol.apiserver.k8s.io/v1beta3"],
      defaults: v1beta3PriorityLevelConfigurationDefaults,
    },
  },
  subresources: {
    status: { strategy: priorityLevelConfigurationStatusStrategy },
  },
};
