import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const persistentVolumeKind: KindDefinition = builtInKind({
  group: "",
  resource: "persistentvolumes",
  kind: "PersistentVolume",
  printer: async () => (await import("./persistent-volume-printer.ts")).persistentVolumePrinter,
  rules: async () => (await import("./persistent-volume-rules.ts")).persistentVolumeRules,
});
