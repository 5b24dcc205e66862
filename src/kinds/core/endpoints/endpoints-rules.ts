import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { endpointsStrategy } from "./endpoints.ts";
import { endpointsDefaults } from "./endpoints-defaults.ts";

export const endpointsRules: BuiltInRules<"endpoints"> = {
  strategy: endpointsStrategy,
  versions: {
    v1: { defaults: endpointsDefaults },
  },
};
