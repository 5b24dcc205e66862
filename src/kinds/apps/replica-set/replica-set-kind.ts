import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const replicaSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "replicasets",
  kind: "ReplicaSet",
  cohabitants: { extensions: {} },
  fieldSelectors: { zeroValues: { "status.replicas": "0" } },
  printer: async () => (await import("./replica-set-printer.ts")).replicaSetPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./replica-set-rules.ts")).replicaSetRules,
});
