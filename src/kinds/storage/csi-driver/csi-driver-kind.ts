import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { storagePrinters } from "../../printers/storage.ts";

export const csiDriverKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csidrivers",
  kind: "CSIDriver",
  printer: storagePrinters["csidrivers"],
  rules: async () => (await import("./csi-driver-rules.ts")).csiDriverRules,
});
