import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { appsBetaStatefulSetDefaults, statefulSetDefaults } from "./stateful-set-defaults.ts";
import { statefulSetStatusStrategy, statefulSetStrategy } from "./stateful-set-strategy.ts";

export const statefulSetRules: BuiltInRules<"statefulsets"> = {
  strategy: statefulSetStrategy,
  versions: {
    "apps/v1": { defaults: withTemplateHostPorts(statefulSetDefaults, "spec", "template") },
    "apps/v1beta1": { defaults: withTemplateHostPorts(appsBetaStatefulSetDefaults, "spec", "template") },
    "apps/v1beta2": { defaults: withTemplateHostPorts(statefulSetDefaults, "spec", "template") },
  },
  subresources: {
    status: { strategy: statefulSetStatusStrategy },
  },
};
