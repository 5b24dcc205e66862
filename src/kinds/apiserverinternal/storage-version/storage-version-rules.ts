import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { storageVersionStatusStrategy, storageVersionStrategy } from "./storage-version-strategy.ts";

export const storageVersionRules: KindRules<"storageversions"> = {
  strategy: storageVersionStrategy,
  subresources: {
    status: { strategy: storageVersionStatusStrategy },
  },
};
