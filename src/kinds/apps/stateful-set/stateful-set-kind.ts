import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { appsPrinters } from "../../printers/workloads.ts";

export const statefulSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "statefulsets",
  kind: "StatefulSet",
  printer: appsPrinters["statefulsets"],
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./stateful-set-rules.ts")).statefulSetRules,
});
