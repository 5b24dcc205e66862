import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { limitRangeStrategy } from "./limit-range.ts";
import { limitRangeDefaults } from "./limit-range-defaults.ts";

export const limitRangeRules: BuiltInRules<"limitranges"> = {
  strategy: limitRangeStrategy,
  versions: {
    v1: { defaults: limitRangeDefaults },
  },
};
