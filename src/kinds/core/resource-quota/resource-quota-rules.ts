import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { resourceQuotaDefaults } from "../core-defaults.ts";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./resource-quota.ts";

export const resourceQuotaRules: KindRules<"resourcequotas"> = {
  strategy: resourceQuotaStrategy,
  versions: {
    v1: { defaults: resourceQuotaDefaults },
  },
  subresources: {
    status: { strategy: resourceQuotaStatusStrategy },
  },
};
