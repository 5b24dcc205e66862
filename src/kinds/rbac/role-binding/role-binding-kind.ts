import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { rbacPrinters } from "../../printers/access.ts";

export const roleBindingKind: KindDefinition = builtInKind({
  group: "rbac.authorization.k8s.io",
  resource: "rolebindings",
  kind: "RoleBinding",
  printer: rbacPrinters["rolebindings"],
  rules: async () => (await import("./role-binding-rules.ts")).roleBindingRules,
});
