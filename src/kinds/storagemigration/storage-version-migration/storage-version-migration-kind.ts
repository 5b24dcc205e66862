import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagemigrationPrinters } from "../../printers/machinery.ts";

export const storageVersionMigrationKind: KindDefinition = builtInKind({
  group: "storagemigration.k8s.io",
  resource: "storageversionmigrations",
  kind: "StorageVersionMigration",
  printer: storagemigrationPrinters["storageversionmigrations"],
  rules: async () => (await import("./storage-version-migration-rules.ts")).storageVersionMigrationRules,
});
