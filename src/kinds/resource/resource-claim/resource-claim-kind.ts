import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourceClaimKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaims",
  kind: "ResourceClaim",
  printer: async () => (await import("./resource-claim-printer.ts")).resourceClaimPrinter,
  rules: async () => (await import("./resource-claim-rules.ts")).resourceClaimRules,
});
