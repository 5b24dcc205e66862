import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const configMapKind: KindDefinition = builtInKind({
  group: "",
  resource: "configmaps",
  kind: "ConfigMap",
  printer: corePrinters["configmaps"],
  quota: { objectCountName: "configmaps" },
  rules: async () => (await import("./config-map-rules.ts")).configMapRules,
});
