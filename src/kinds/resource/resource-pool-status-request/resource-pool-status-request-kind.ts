import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const resourcePoolStatusRequestKind: KindDefinition = builtInKind({
  group: "resource.k8s.io",
  resource: "resourcepoolstatusrequests",
  kind: "ResourcePoolStatusRequest",
  rules: async () => (await import("./resource-pool-status-request-rules.ts")).resourcePoolStatusRequestRules,
});
