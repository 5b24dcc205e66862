import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const csiStorageCapacityKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  rules: async () => (await import("./csi-storage-capacity-rules.ts")).csiStorageCapacityRules,
});
