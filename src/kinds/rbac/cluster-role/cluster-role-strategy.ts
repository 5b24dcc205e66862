import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { authorizeRole } from "../role/authorize-role.ts";
import { rbacRoleStrategy } from "../role/role-strategy.ts";
import { addClusterRoleErrors } from "./cluster-role-validation.ts";

export function clusterRoleStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const authorizeWrite = authorizeRole("clusterroles", environment);
  return { ...rbacRoleStrategy(base, "Cluster", addClusterRoleErrors), authorizeWrite };
}
