import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { appsBetaStatefulSetDefaults, statefulSetDefaults } from "./stateful-set-defaults.ts";
import { statefulSetStatusStrategy, statefulSetStrategy } from "./stateful-set-strategy.ts";

export const statefulSetRules: BuiltInRules<"statefulsets"> = {
  strategy: statefulSetStrategy,
  versions: {
    "apps/v1": { defaults: statefulSetDefaults },
    "apps/v1beta1": { defaults: appsBetaStatefulSetDefaults },
    "apps/v1beta2": { defaults: statefulSetDefaults },
  },
  subresources: {
    status: { strategy: statefulSetStatusStrategy },
  },
};
