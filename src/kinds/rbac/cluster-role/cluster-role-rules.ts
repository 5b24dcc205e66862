import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { clusterRoleStrategy } from "./cluster-role-strategy.ts";

export const clusterRoleRules: BuiltInRules<"clusterroles"> = {
  strategy: clusterRoleStrategy,
};
