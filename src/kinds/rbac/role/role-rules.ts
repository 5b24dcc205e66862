import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { roleStrategy } from "./role-strategy.ts";

export const roleRules: KindRules<"roles"> = {
  strategy: roleStrategy,
};
