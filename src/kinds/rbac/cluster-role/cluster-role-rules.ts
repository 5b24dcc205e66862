import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { clusterRoleStrategy } from "./cluster-role-strategy.ts";

export const clusterRoleRules: KindRules<"clusterroles"> = {
  strategy: clusterRoleStrategy,
};
