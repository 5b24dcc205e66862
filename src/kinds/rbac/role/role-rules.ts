import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { roleStrategy } from "./role.ts";

export const roleRules: KindRules<"roles"> = {
  strategy: roleStrategy,
};
