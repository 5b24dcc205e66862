import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceQuotaKind: KindDefinition = builtInKind({
  group: "",
  resource: "resourcequotas",
  kind: "ResourceQuota",
  quota: { objectCountName: "resourcequotas" },
  rules: async () => (await import("./resource-quota-rules.ts")).resourceQuotaRules,
});
