import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const persistentVolumeClaimKind: KindDefinition = builtInKind({
  group: "",
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  printer: corePrinters["persistentvolumeclaims"],
  quota: { objectCountName: "persistentvolumeclaims" },
  rules: async () => (await import("./persistent-volume-claim-rules.ts")).persistentVolumeClaimRules,
});
