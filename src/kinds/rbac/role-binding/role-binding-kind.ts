import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const roleBindingKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "rolebindings",
  kind: "RoleBinding",
  printer: async () => (await import("./role-binding-printer.ts")).roleBindingPrinter,
  rules: async () => (await import("./role-binding-rules.ts")).roleBindingRules,
});
