import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagePrinters } from "../../printers/storage.ts";

export const volumeAttachmentKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  printer: storagePrinters["volumeattachments"],
  rules: async () => (await import("./volume-attachment-rules.ts")).volumeAttachmentRules,
});
