import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { extensionsReplicaSetDefaults, replicaSetDefaults } from "./replica-set-defaults.ts";
import { replicaSetStatusStrategy, replicaSetStrategy } from "./replica-set-strategy.ts";

export const replicaSetRules: BuiltInRules<"replicasets"> = {
  strategy: replicaSetStrategy,
  versions: {
    "apps/v1": { defaults: withTemplateHostPorts(replicaSetDefaults, "spec", "template") },
    "apps/v1beta2": { defaults: withTemplateHostPorts(replicaSetDefaults, "spec", "template") },
    "extensions/v1beta1": {
      defaults: withTemplateHostPorts(extensionsReplicaSetDefaults, "spec", "template"),
    },
  },
  subresources: {
    status: { strategy: replicaSetStatusStrategy },
  },
};
