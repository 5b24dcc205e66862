import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { clusterRoleStrategy } from "../role/role.ts";

export const clusterRoleRules: KindRules<"clusterroles"> = {
  strategy: clusterRoleStrategy,
};
