import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { appsPrinters } from "../../printers/workloads.ts";

export const replicaSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "replicasets",
  kind: "ReplicaSet",
  cohabitants: { extensions: {} },
  fieldSelectors: { zeroValues: { "status.replicas": "0" } },
  printer: appsPrinters["replicasets"],
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./replica-set-rules.ts")).replicaSetRules,
});
