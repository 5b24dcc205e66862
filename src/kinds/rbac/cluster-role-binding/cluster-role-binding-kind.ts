import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { rbacPrinters } from "../../printers/access.ts";

export const clusterRoleBindingKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  printer: rbacPrinters["clusterrolebindings"],
  rules: async () => (await import("./cluster-role-binding-rules.ts")).clusterRoleBindingRules,
});
