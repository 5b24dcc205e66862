import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const storageVersionMigrationKind: KindDefinition = builtInKind({
  group: "storagemigration.k8s.io",
  resource: "storageversionmigrations",
  kind: "StorageVersionMigration",
  printer: async () =>
    (await import("./storage-version-migration-printer.ts")).storageVersionMigrationPrinter,
  rules: async () => (await import("./storage-version-migration-rules.ts")).storageVersionMigrationRules,
});
