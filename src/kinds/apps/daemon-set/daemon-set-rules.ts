import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { daemonSetDefaults, extensionsDaemonSetDefaults } from "./daemon-set-defaults.ts";
import { daemonSetStatusStrategy, daemonSetStrategy } from "./daemon-set-strategy.ts";

export const daemonSetRules: BuiltInRules<"daemonsets"> = {
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
