import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  replicationControllerStatusStrategy,
  replicationControllerStrategy,
} from "./replication-controller.ts";
import { replicationControllerDefaults } from "./replication-controller-defaults.ts";

export const replicationControllerRules: KindRules<"replicationcontrollers"> = {
  strategy: replicationControllerStrategy,
  versions: {
    v1: { defaults: replicationControllerDefaults },
  },
  subresources: {
    status: { strategy: replicationControllerStatusStrategy },
  },
};
