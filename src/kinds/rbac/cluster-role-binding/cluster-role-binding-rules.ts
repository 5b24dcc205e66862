import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { roleBindingVersions } from "../role-binding/role-binding-versions.ts";
import { clusterRoleBindingStrategy } from "./cluster-role-binding-strategy.ts";

export const clusterRoleBindingRules: BuiltInRules<"clusterrolebindings"> = {
  strategy: clusterRoleBindingStrategy,
  versions: roleBindingVersions,
};
