import type { Strategy } from "../../../registry/contract/strategy.ts";
import { rbacRoleStrategy } from "../role/role-strategy.ts";
import { addClusterRoleErrors } from "./cluster-role-validation.ts";

export function clusterRoleStrategy(base: Strategy): Strategy {
  return rbacRoleStrategy(base, "Cluster", addClusterRoleErrors);
}
