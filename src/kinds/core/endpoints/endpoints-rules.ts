import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { endpointsStrategy } from "./endpoints.ts";
import { endpointsDefaults } from "./endpoints-defaults.ts";

export const endpointsRules: KindRules<"endpoints"> = {
  strategy: endpointsStrategy,
  versions: {
    v1: { defaults: endpointsDefaults },
  },
};
