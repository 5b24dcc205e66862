import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { apiServiceDefaults } from "./api-service-defaults.ts";
import { apiServiceStatusStrategy, apiServiceStrategy } from "./api-service-strategy.ts";

export const apiServiceRules: BuiltInRules<"apiservices"> = {
  strategy: apiServiceStrategy,
  versions: {
    "apiregistration.k8s.io/v1": { defaults: apiServiceDefaults },
    "apiregistration.k8s.io/v1beta1": { defaults: apiServiceDefaults },
  },
  subresources: {
    status: { strategy: apiServiceStatusStrategy },
  },
};
