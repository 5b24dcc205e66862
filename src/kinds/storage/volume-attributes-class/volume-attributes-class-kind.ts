import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const volumeAttributesClassKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "volumeattributesclasses",
  kind: "VolumeAttributesClass",
  printer: async () => (await import("./volume-attributes-class-printer.ts")).volumeAttributesClassPrinter,
  rules: async () => (await import("./volume-attributes-class-rules.ts")).volumeAttributesClassRules,
});
