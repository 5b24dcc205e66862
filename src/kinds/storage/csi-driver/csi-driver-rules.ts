import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { csiDriverDefaults } from "./csi-driver-defaults.ts";
import { csiDriverStrategy } from "./csi-driver-strategy.ts";

export const csiDriverRules: BuiltInRules<"csidrivers"> = {
  strategy: csiDriverStrategy,
  versions: {
    "storage.k8s.io/v1": { defaults: csiDriverDefaults },
    "storage.k8s.io/v1beta1": { defaults: csiDriverDefaults },
  },
};
