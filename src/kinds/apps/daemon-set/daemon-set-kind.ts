import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const daemonSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "daemonsets",
  kind: "DaemonSet",
  cohabitants: { extensions: {} },
  printer: async () => (await import("./daemon-set-printer.ts")).daemonSetPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./daemon-set-rules.ts")).daemonSetRules,
});
