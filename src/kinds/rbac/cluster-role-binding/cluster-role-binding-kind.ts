import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const clusterRoleBindingKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  printer: async () => (await import("../role-binding/role-binding-printer.ts")).roleBindingPrinter,
  rules: async () => (await import("./cluster-role-binding-rules.ts")).clusterRoleBindingRules,
});
