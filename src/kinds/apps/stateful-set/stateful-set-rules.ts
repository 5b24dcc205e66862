import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { appsBetaStatefulSetDefaults } from "../../workload/legacy-workload-defaults.ts";
import { statefulSetDefaults } from "../../workload/workload-defaults.ts";
import { statefulSetStatusStrategy, statefulSetStrategy } from "./stateful-set.ts";

export const statefulSetRules: KindRules<"statefulsets"> = {
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
