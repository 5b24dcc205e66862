import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { podPrinter } from "./pod-printer.ts";

export const podKind: KindDefinition = builtInKind({
  group: "",
  resource: "pods",
  kind: "Pod",
  fieldSelectors: {
    aliases: { "spec.host": "spec.nodeName" },
    paths: { "status.podIPs": "" },
    zeroValues: { "spec.hostNetwork": "false" },
  },
  printer: podPrinter,
  quota: { objectCountName: "pods" },
  rules: async () => (await import("./pod-rules.ts")).podRules,
});
