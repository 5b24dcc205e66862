import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podGroupKind: KindDefinition = builtInKind({
  group: "scheduling.k8s.io",
  resource: "podgroups",
  kind: "PodGroup",
  rules: async () => (await import("./pod-group-rules.ts")).podGroupRules,
});
