import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const leaseCandidateKind: KindDefinition = builtInKind({
  group: "coordination.k8s.io",
  resource: "leasecandidates",
  kind: "LeaseCandidate",
  printer: async () => (await import("./lease-candidate-printer.ts")).leaseCandidatePrinter,
  rules: async () => (await import("./lease-candidate-rules.ts")).leaseCandidateRules,
});
