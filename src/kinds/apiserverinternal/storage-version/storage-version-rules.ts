import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { storageVersionPrinter } from "./storage-version-printer.ts";
import { storageVersionStatusStrategy, storageVersionStrategy } from "./storage-version-strategy.ts";

export const storageVersionRules: BuiltInRules<"storageversions"> = {
  printer: storageVersionPrinter,
  strategy: storageVersionStrategy,
  subresources: {
    status: { strategy: storageVersionStatusStrategy },
  },
};
