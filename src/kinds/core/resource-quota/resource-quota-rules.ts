import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./resource-quota.ts";
import { resourceQuotaDefaults } from "./resource-quota-defaults.ts";

export const resourceQuotaRules: KindRules<"resourcequotas"> = {
  strategy: resourceQuotaStrategy,
  versions: {
    v1: { defaults: resourceQuotaDefaults },
  },
  subresources: {
    status: { strategy: resourceQuotaStatusStrategy },
  },
};
