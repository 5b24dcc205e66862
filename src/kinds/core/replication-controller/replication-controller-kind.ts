import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const replicationControllerKind: KindDefinition = builtInKind({
  group: "",
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  cohabitants: { extensions: {} },
  fieldSelectors: { zeroValues: { "status.replicas": "0" } },
  printer: corePrinters["replicationcontrollers"],
  quota: { objectCountName: "replicationcontrollers" },
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./replication-controller-rules.ts")).replicationControllerRules,
});
