import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const nodeKind: KindDefinition = builtInKind({
  group: "",
  resource: "nodes",
  kind: "Node",
  fieldSelectors: { zeroValues: { "spec.unschedulable": "false" } },
  printer: async () => (await import("./node-printer.ts")).nodePrinter,
  rules: async () => (await import("./node-rules.ts")).nodeRules,
});
