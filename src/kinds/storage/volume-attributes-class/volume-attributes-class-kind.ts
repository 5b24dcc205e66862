import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagePrinters } from "../../printers/storage.ts";

export const volumeAttributesClassKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  printer: storagePrinters["volumeattributesclasses"],
  rules: async () => (await import("./volume-attributes-class-rules.ts")).volumeAttributesClassRules,
});
