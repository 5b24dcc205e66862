import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { serviceStatusStrategy, serviceStrategy } from "./service.ts";
import { serviceDefaults } from "./service-defaults.ts";

export const serviceRules: KindRules<"services"> = {
  strategy: serviceStrategy,
  versions: {
    v1: { defaults: serviceDefaults },
  },
  subresources: {
    status: { strategy: serviceStatusStrategy },
  },
};
