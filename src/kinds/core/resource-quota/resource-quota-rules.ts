import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { resourceQuotaStatusStrategy, resourceQuotaStrategy } from "./resource-quota.ts";
import { resourceQuotaDefaults } from "./resource-quota-defaults.ts";
import { newerResourceQuotaPrinter, resourceQuotaPrinter } from "./resource-quota-printer.ts";

export const resourceQuotaRules: BuiltInRules<"resourcequotas"> = {
  newerPrinter: { since: "1.33", printer: newerResourceQuotaPrinter },
  printer: resourceQuotaPrinter,
  strategy: resourceQuotaStrategy,
  versions: {
    v1: { defaults: resourceQuotaDefaults },
  },
  subresources: {
    status: { strategy: resourceQuotaStatusStrategy },
  },
};
