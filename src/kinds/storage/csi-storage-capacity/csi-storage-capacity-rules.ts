import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { csiStorageCapacityStrategy } from "./csi-storage-capacity-strategy.ts";

export const csiStorageCapacityRules: BuiltInRules<"csistoragecapacities"> = {
  strategy: csiStorageCapacityStrategy,
};
