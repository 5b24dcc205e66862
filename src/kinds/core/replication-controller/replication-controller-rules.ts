import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import {
  replicationControllerStatusStrategy,
  replicationControllerStrategy,
} from "./replication-controller.ts";
import { replicationControllerDefaults } from "./replication-controller-defaults.ts";

export const replicationControllerRules: BuiltInRules<"replicationcontrollers"> = {
  strategy: replicationControllerStrategy,
  versions: {
    v1: { defaults: withTemplateHostPorts(replicationControllerDefaults, "spec", "template") },
  },
  subresources: {
    status: { strategy: replicationControllerStatusStrategy },
  },
};
