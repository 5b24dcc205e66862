import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podPresetKind: KindDefinition = builtInKind({
  group: "settings.k8s.io",
  resource: "podpresets",
  kind: "PodPreset",
  rules: async () => (await import("./pod-preset-rules.ts")).podPresetRules,
});
