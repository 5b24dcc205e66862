import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { daemonSetDefaults, extensionsDaemonSetDefaults } from "./daemon-set-defaults.ts";
import { daemonSetStatusStrategy, daemonSetStrategy } from "./daemon-set-strategy.ts";

export const daemonSetRules: BuiltInRules<"daemonsets"> = {
  strategy: daemonSetStrategy,
  versions: {
    "apps/v1": { defaults: withTemplateHostPorts(daemonSetDefaults, "spec", "template") },
    "apps/v1beta2": { defaults: withTemplateHostPorts(daemonSetDefaults, "spec", "template") },
    "extensions/v1beta1": {
      defaults: withTemplateHostPorts(extensionsDaemonSetDefaults, "spec", "template"),
    },
  },
  subresources: {
    status: { strategy: daemonSetStatusStrategy },
  },
};
