import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { newerResourceQuotaPrinter, resourceQuotaPrinter } from "./resource-quota-printer.ts";

export const resourceQuotaKind: KindDefinition = builtInKind({
  group: "",
  resource: "resourcequotas",
  kind: "ResourceQuota",
  newerPrinter: { since: "1.33", printer: newerResourceQuotaPrinter },
  printer: resourceQuotaPrinter,
  quota: { objectCountName: "resourcequotas" },
  rules: async () => (await import("./resource-quota-rules.ts")).resourceQuotaRules,
});
