import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const persistentVolumeClaimKind: KindDefinition = builtInKind({
  group: "",
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  printer: async () => (await import("./persistent-volume-claim-printer.ts")).persistentVolumeClaimPrinter,
  quota: async () => (await import("./persistent-volume-claim-quota.ts")).persistentVolumeClaimQuota,
  rules: async () => (await import("./persistent-volume-claim-rules.ts")).persistentVolumeClaimRules,
});
