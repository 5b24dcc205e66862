import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { storageVersionMigrationPrinter } from "./storage-version-migration-printer.ts";
import {
  storageVersionMigrationStatusStrategy,
  storageVersionMigrationStrategy,
} from "./storage-version-migration-strategy.ts";

export const storageVersionMigrationRules: BuiltInRules<"storageversionmigrations"> = {
  printer: storageVersionMigrationPrinter,
  strategy: storageVersionMigrationStrategy,
  subresources: {
    status: { strategy: storageVersionMigrationStatusStrategy },
  },
};
