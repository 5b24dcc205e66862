import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { resourcePrinters } from "../../printers/resource.ts";

export const resourceClaimKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourceclaims",
  kind: "ResourceClaim",
  printer: resourcePrinters["resourceclaims"],
  rules: async () => (await import("./resource-claim-rules.ts")).resourceClaimRules,
});
