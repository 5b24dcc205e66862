import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { alphaRoleBindingDefaults, roleBindingDefaults } from "../role-binding/role-binding-defaults.ts";
import { clusterRoleBindingStrategy } from "./cluster-role-binding-strategy.ts";

export const clusterRoleBindingRules: BuiltInRules<"clusterrolebindings"> = {
  strategy: clusterRoleBindingStrategy,
  versions: {
    "rbac.authorization.k8s.io/v1": { defaults: roleBindingDefaults },
    "rbac.authorization.k8s.io/v1alpha1": { defaults: alphaRoleBindingDefaults },
    "rbac.authorization.k8s.io/v1beta1": { defaults: roleBindingDefaults },
  },
};
