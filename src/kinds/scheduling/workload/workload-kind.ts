import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const workloadKind: KindDefinition = builtInKind({
  group: "scheduling.k8s.io",
  resource: "workloads",
  kind: "Workload",
  rules: async () => (await import("./workload-rules.ts")).workloadRules,
});
