import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const replicationControllerKind: KindDefinition = builtInKind({
  group: "",
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  cohabitants: { extensions: {} },
  fieldSelectors: { zeroValues: { "status.replicas": "0" } },
  printer: async () => (await import("./replication-controller-printer.ts")).replicationControllerPrinter,
  quota: { objectCountName: "replicationcontrollers" },
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./replication-controller-rules.ts")).replicationControllerRules,
});
