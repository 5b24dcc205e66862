import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { volumeAttachmentDefaults } from "./volume-attachment-defaults.ts";
import { volumeAttachmentStatusStrategy, volumeAttachmentStrategy } from "./volume-attachment-strategy.ts";

export const volumeAttachmentRules: KindRules<"volumeattachments"> = {
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
