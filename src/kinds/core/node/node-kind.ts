import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const nodeKind: KindDefinition = builtInKind({
  group: "",
  resource: "nodes",
  kind: "Node",
  fieldSelectors: { zeroValues: { "spec.unschedulable": "false" } },
  printer: corePrinters["nodes"],
  rules: async () => (await import("./node-rules.ts")).nodeRules,
});
