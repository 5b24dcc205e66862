import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { limitRangeDefaults } from "../core-defaults.ts";
import { limitRangeStrategy } from "./limit-range.ts";

export const limitRangeRules: KindRules<"limitranges"> = {
  strategy: limitRangeStrategy,
  versions: {
    v1: { defaults: limitRangeDefaults },
  },
};
