import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { endpointsStrategy } from "./endpoints.ts";
import { endpointsDefaults } from "./endpoints-defaults.ts";
import { endpointsPrinter } from "./endpoints-printer.ts";

export const endpointsRules: BuiltInRules<"endpoints"> = {
  printer: endpointsPrinter,
  strategy: endpointsStrategy,
  versions: {
    v1: { defaults: endpointsDefaults },
  },
};
