import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { endpointsDefaults } from "../core-defaults.ts";
import { endpointsStrategy } from "./endpoints.ts";

export const endpointsRules: KindRules<"endpoints"> = {
  strategy: endpointsStrategy,
  versions: {
    v1: { defaults: endpointsDefaults },
  },
};
