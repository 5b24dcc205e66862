import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const roleKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "roles",
  kind: "Role",
  rules: async () => (await import("./role-rules.ts")).roleRules,
});
