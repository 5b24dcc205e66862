import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourceClaimPrinter } from "./resource-claim-printer.ts";

export const resourceClaimKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaims",
  kind: "ResourceClaim",
  printer: resourceClaimPrinter,
  rules: async () => (await import("./resource-claim-rules.ts")).resourceClaimRules,
});
