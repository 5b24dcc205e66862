import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { csiStorageCapacityStrategy } from "./csi-storage-capacity-strategy.ts";

export const csiStorageCapacityRules: KindRules<"csistoragecapacities"> = {
  strategy: csiStorageCapacityStrategy,
};
