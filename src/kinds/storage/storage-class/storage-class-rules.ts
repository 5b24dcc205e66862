import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { storageClassDefaults } from "./storage-class-defaults.ts";
import { storageClassStrategy } from "./storage-class-strategy.ts";

export const storageClassRules: KindRules<"storageclasses"> = {
  strategy: storageClassStrategy,
  versions: {
    "storage.k8s.io/v1": { defaults: storageClassDefaults },
    "storage.k8s.io/v1beta1": { defaults: storageClassDefaults },
  },
};
