import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { serviceStatusStrategy, serviceStrategy } from "./service.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { serviceProxyRest } from "./service-proxy.ts";

export const serviceRules: BuiltInRules<"services"> = {
  strategy: serviceStrategy,
  versions: {
    v1: { defaults: serviceDefaults },
  },
  subresources: {
    proxy: { rest: serviceProxyRest },
    status: { strategy: serviceStatusStrategy },
  },
};
