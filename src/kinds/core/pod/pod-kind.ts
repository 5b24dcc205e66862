import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const podKind: KindDefinition = builtInKind({
  group: "",
  resource: "pods",
  kind: "Pod",
  fieldSelectors: {
    aliases: { "spec.host": "spec.nodeName" },
    paths: { "status.podIPs": "" },
    zeroValues: { "spec.hostNetwork": "false" },
  },
  printer: corePrinters["pods"],
  quota: { objectCountName: "pods" },
  rules: async () => (await import("./pod-rules.ts")).podRules,
});
