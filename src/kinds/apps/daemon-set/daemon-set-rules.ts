import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { extensionsDaemonSetDefaults } from "../../workload/legacy-workload-defaults.ts";
import { daemonSetDefaults } from "../../workload/workload-defaults.ts";
import { daemonSetStatusStrategy, daemonSetStrategy } from "./daemon-set.ts";

export const daemonSetRules: KindRules<"daemonsets"> = {
  strategy: daemonSetStrategy,
  versions: {
    "apps/v1": { defaults: daemonSetDefaults },
    "apps/v1beta2": { defaults: daemonSetDefaults },
    "extensions/v1beta1": { defaults: extensionsDaemonSetDefaults },
  },
  subresources: {
    status: { strategy: daemonSetStatusStrategy },
  },
};
