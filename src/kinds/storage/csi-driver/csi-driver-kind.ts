import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const csiDriverKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csidrivers",
  kind: "CSIDriver",
  printer: async () => (await import("./csi-driver-printer.ts")).csiDriverPrinter,
  rules: async () => (await import("./csi-driver-rules.ts")).csiDriverRules,
});
