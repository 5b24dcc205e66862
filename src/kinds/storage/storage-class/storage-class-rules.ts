import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { storageClassDefaults } from "./storage-class-defaults.ts";
import { storageClassStrategy } from "./storage-class-strategy.ts";

export const storageClassRules: BuiltInRules<"storageclasses"> = {
  strategy: storageClassStrategy,
  versions: {
    "storage.k8s.io/v1": { defaults: storageClassDefaults },
    "storage.k8s.io/v1beta1": { defaults: storageClassDefaults },
  },
};
