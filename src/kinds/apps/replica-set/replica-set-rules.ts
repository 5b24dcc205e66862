import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { extensionsReplicaSetDefaults, replicaSetDefaults } from "./replica-set-defaults.ts";
import { replicaSetStatusStrategy, replicaSetStrategy } from "./replica-set-strategy.ts";

export const replicaSetRules: BuiltInRules<"replicasets"> = {
  strategy: replicaSetStrategy,
  versions: {
    "apps/v1": { defaults: replicaSetDefaults },
    "apps/v1beta2": { defaults: replicaSetDefaults },
    "extensions/v1beta1": { defaults: extensionsReplicaSetDefaults },
  },
  subresources: {
    status: { strategy: replicaSetStatusStrategy },
  },
};
