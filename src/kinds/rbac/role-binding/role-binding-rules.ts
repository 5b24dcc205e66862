import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { roleBindingStrategy } from "./role-binding-strategy.ts";
import { roleBindingVersions } from "./role-binding-versions.ts";

export const roleBindingRules: BuiltInRules<"rolebindings"> = {
  strategy: roleBindingStrategy,
  versions: roleBindingVersions,
};
