import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { storageVersionStatusStrategy, storageVersionStrategy } from "./storage-version-strategy.ts";

export const storageVersionRules: BuiltInRules<"storageversions"> = {
  strategy: storageVersionStrategy,
  subresources: {
    status: { strategy: storageVersionStatusStrategy },
  },
};
