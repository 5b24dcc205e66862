import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { podQuota } from "./pod-quota.ts";

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
  quota: podQuota,
  rules: async () => (await import("./pod-rules.ts")).podRules,
});
