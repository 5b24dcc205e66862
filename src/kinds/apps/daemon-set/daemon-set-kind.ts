import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { appsPrinters } from "../../printers/workloads.ts";

export const daemonSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "daemonsets",
  kind: "DaemonSet",
  cohabitants: { extensions: {} },
  printer: appsPrinters["daemonsets"],
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./daemon-set-rules.ts")).daemonSetRules,
});
