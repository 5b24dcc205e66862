import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podKind: KindDefinition = builtInKind({
  group: "",
  resource: "pods",
  kind: "Pod",
  fieldSelectors: {
    aliases: { "spec.host": "spec.nodeName" },
    paths: { "status.podIPs": "" },
    zeroValues: { "spec.hostNetwork": "false" },
  },
  printer: async () => (await import("./pod-printer.ts")).podPrinter,
  quota: async () => (await import("./pod-quota.ts")).podQuota,
  rules: async () => (await import("./pod-rules.ts")).podRules,
});
