import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { roleStrategy } from "./role-strategy.ts";

export const roleRules: BuiltInRules<"roles"> = {
  strategy: roleStrategy,
};
