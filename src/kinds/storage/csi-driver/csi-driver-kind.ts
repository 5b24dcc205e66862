import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { csiDriverPrinter } from "./csi-driver-printer.ts";

export const csiDriverKind: KindDefinition = builtInKind({
  group: "storage.k8s.io",
  resource: "csidrivers",
  kind: "CSIDriver",
  printer: csiDriverPrinter,
  rules: async () => (await import("./csi-driver-rules.ts")).csiDriverRules,
});
