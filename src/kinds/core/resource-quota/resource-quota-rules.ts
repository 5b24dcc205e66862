import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./resource-quota.ts";
import { resourceQuotaDefaults } from "./resource-quota-defaults.ts";

export const resourceQuotaRules: BuiltInRules<"resourcequotas"> = {
  strategy: resourceQuotaStrategy,
  versions: {
    v1: { defaults: resourceQuotaDefaults },
  },
  subresources: {
    status: { strategy: resourceQuotaStatusStrategy },
  },
};
