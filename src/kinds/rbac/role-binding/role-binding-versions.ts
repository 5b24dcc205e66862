import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { formConversions, internalForm } from "../../../registry/contract/version-form.ts";
import { alphaRoleBindingDefaults, roleBindingDefaults } from "./role-binding-defaults.ts";
import { alphaRoleBindingForm } from "./role-binding-forms.ts";

const conversions = formConversions({
  "rbac.authorization.k8s.io/v1": internalForm,
  "rbac.authorization.k8s.io/v1alpha1": alphaRoleBindingForm,
  "rbac.authorization.k8s.io/v1beta1": internalForm,
});

/** The conversions and defaults of RoleBindings and of ClusterRoleBindings. */
export const roleBindingVersions: NonNullable<BuiltInRules<"rolebindings">["versions"]> = {
  "rbac.authorization.k8s.io/v1": {
    ...conversions["rbac.authorization.k8s.io/v1"],
    defaults: roleBindingDefaults,
  },
  "rbac.authorization.k8s.io/v1alpha1": {
    ...conversions["rbac.authorization.k8s.io/v1alpha1"],
    defaults: alphaRoleBindingDefaults,
  },
  "rbac.authorization.k8s.io/v1beta1": {
    ...conversions["rbac.authorization.k8s.io/v1beta1"],
    defaults: roleBindingDefaults,
  },
};
