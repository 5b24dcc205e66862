import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { authorizeBinding } from "../role-binding/authorize-binding.ts";
import { bindingStrategy } from "../role-binding/role-binding-strategy.ts";

export function clusterRoleBindingStrategy(base: Strategy, environment: StrategyEnvironment): Strategy {
  const authorizeWrite = authorizeBinding("clusterrolebindings", environment);
  return { ...bindingStrategy(base, { scope: "Cluster", roleKinds: ["ClusterRole"] }), authorizeWrite };
}
