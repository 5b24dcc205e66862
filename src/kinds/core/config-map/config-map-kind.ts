import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const configMapKind: KindDefinition = builtInKind({
  group: "",
  resource: "configmaps",
  kind: "ConfigMap",
  printer: async () => (await import("./config-map-printer.ts")).configMapPrinter,
  quota: { objectCountName: "configmaps" },
  rules: async () => (await import("./config-map-rules.ts")).configMapRules,
});
