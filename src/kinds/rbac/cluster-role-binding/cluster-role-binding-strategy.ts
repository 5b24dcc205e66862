import type { Strategy } from "../../../registry/contract/strategy.ts";
import { bindingStrategy } from "../role-binding/role-binding-strategy.ts";

export function clusterRoleBindingStrategy(base: Strategy): Strategy {
  return bindingStrategy(base, { scope: "Cluster", roleKinds: ["ClusterRole"] });
}
