import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { volumeAttachmentDefaults } from "./volume-attachment-defaults.ts";
import { volumeAttachmentStatusStrategy, volumeAttachmentStrategy } from "./volume-attachment-strategy.ts";

export const volumeAttachmentRules: BuiltInRules<"volumeattachments"> = {
  strategy: volumeAttachmentStrategy,
  versions: {
    "storage.k8s.io/v1": { defaults: volumeAttachmentDefaults },
    "storage.k8s.io/v1alpha1": { defaults: volumeAttachmentDefaults },
    "storage.k8s.io/v1beta1": { defaults: volumeAttachmentDefaults },
  },
  subresources: {
    status: { strategy: volumeAttachmentStatusStrategy },
  },
};
