import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import {
  storageVersionMigrationStatusStrategy,
  storageVersionMigrationStrategy,
} from "./storage-version-migration-strategy.ts";

export const storageVersionMigrationRules: BuiltInRules<"storageversionmigrations"> = {
  strategy: storageVersionMigrationStrategy,
  subresources: {
    status: { strategy: storageVersionMigrationStatusStrategy },
  },
};
