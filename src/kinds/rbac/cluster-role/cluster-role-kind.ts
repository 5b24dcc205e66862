import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const clusterRoleKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "clusterroles",
  kind: "ClusterRole",
  rules: async () => (await import("./cluster-role-rules.ts")).clusterRoleRules,
});
