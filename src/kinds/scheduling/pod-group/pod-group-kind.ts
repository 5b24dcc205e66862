import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podGroupKind: KindDefinition = builtInKind({
  group: "scheduling.k8s.io",
  resource: "podgroups",
  kind: "PodGroup",
  rules: async () => (await import("./pod-group-rules.ts")).podGroupRules,
});
