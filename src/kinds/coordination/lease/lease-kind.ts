import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { coordinationPrinters } from "../../printers/machinery.ts";

export const leaseKind: KindDefinition = builtInKind({
  group: "coordination.k8s.io",
  resource: "leases",
  kind: "Lease",
  printer: coordinationPrinters["leases"],
  rules: async () => (await import("./lease-rules.ts")).leaseRules,
});
