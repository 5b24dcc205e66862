import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import {
  storageVersionMigrationStatusStrategy,
  storageVersionMigrationStrategy,
} from "./storage-version-migration-strategy.ts";

export const storageVersionMigrationRules: KindRules<"storageversionmigrations"> = {
  strategy: storageVersionMigrationStrategy,
  subresources: {
    status: { strategy: storageVersionMigrationStatusStrategy },
  },
};
