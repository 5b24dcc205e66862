import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { coordinationPrinters } from "../../printers/machinery.ts";

export const leaseCandidateKind: KindDefinition = builtInKind({
  group: "coordination.k8s.io",
  resource: "leasecandidates",
  kind: "LeaseCandidate",
  printer: coordinationPrinters["leasecandidates"],
  rules: async () => (await import("./lease-candidate-rules.ts")).leaseCandidateRules,
});
