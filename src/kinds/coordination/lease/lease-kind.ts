import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const leaseKind: KindDefinition = builtInKind({
  group: "coordination.k8s.io",
  resource: "leases",
  kind: "Lease",
  printer: async () => (await import("./lease-printer.ts")).leasePrinter,
  rules: async () => (await import("./lease-rules.ts")).leaseRules,
});
