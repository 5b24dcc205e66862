import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceClaimTemplateKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaimtemplates",
  kind: "ResourceClaimTemplate",
  printer: async () => (await import("./resource-claim-template-printer.ts")).resourceClaimTemplatePrinter,
  rules: async () => (await import("./resource-claim-template-rules.ts")).resourceClaimTemplateRules,
});
