import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagePrinters } from "../../printers/storage.ts";

export const csiNodeKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csinodes",
  kind: "CSINode",
  printer: storagePrinters["csinodes"],
  rules: async () => (await import("./csi-node-rules.ts")).csiNodeRules,
});
