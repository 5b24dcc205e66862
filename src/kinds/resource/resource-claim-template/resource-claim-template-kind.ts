import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const resourceClaimTemplateKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaimtemplates",
  kind: "ResourceClaimTemplate",
  printer: resourcePrinters["resourceclaimtemplates"],
  rules: async () => (await import("./resource-claim-template-rules.ts")).resourceClaimTemplateRules,
});
