import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const csiNodeKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csinodes",
  kind: "CSINode",
  printer: async () => (await import("./csi-node-printer.ts")).csiNodePrinter,
  rules: async () => (await import("./csi-node-rules.ts")).csiNodeRules,
});
