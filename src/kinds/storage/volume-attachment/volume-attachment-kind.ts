import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const volumeAttachmentKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "volumeattachments",
  kind: "VolumeAttachment",
  printer: async () => (await import("./volume-attachment-printer.ts")).volumeAttachmentPrinter,
  rules: async () => (await import("./volume-attachment-rules.ts")).volumeAttachmentRules,
});
