import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceQuotaKind: KindDefinition = builtInKind({
  group: "",
  resource: "resourcequotas",
  kind: "ResourceQuota",
  printer: async (_version, { since }) => {
    const printers = await import("./resource-quota-printer.ts");
    return since("1.33") ? printers.newerResourceQuotaPrinter : printers.resourceQuotaPrinter;
  },
  quota: { objectCountName: "resourcequotas" },
  rules: async () => (await import("./resource-quota-rules.ts")).resourceQuotaRules,
});
