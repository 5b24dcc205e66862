import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const persistentVolumeKind: KindDefinition = builtInKind({
  group: "",
  resource: "persistentvolumes",
  kind: "PersistentVolume",
  printer: corePrinters["persistentvolumes"],
  rules: async () => (await import("./persistent-volume-rules.ts")).persistentVolumeRules,
});
