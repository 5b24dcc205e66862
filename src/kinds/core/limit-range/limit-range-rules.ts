import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { limitRangeStrategy } from "./limit-range.ts";
import { limitRangeDefaults } from "./limit-range-defaults.ts";

export const limitRangeRules: KindRules<"limitranges"> = {
  strategy: limitRangeStrategy,
  versions: {
    v1: { defaults: limitRangeDefaults },
  },
};
