import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { persistentVolumeClaimPrinter } from "./persistent-volume-claim-printer.ts";

export const persistentVolumeClaimKind: KindDefinition = builtInKind({
  group: "",
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  printer: persistentVolumeClaimPrinter,
  quota: { objectCountName: "persistentvolumeclaims" },
  rules: async () => (await import("./persistent-volume-claim-rules.ts")).persistentVolumeClaimRules,
});
