import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters, resourceQuotaPrinter } from "../../printers/core.ts";

export const resourceQuotaKind: KindDefinition = builtInKind({
  group: "",
  resource: "resourcequotas",
  kind: "ResourceQuota",
  newerPrinter: { since: "1.33", printer: resourceQuotaPrinter },
  printer: corePrinters["resourcequotas"],
  quota: { objectCountName: "resourcequotas" },
  rules: async () => (await import("./resource-quota-rules.ts")).resourceQuotaRules,
});
