import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { configMapPrinter } from "./config-map-printer.ts";

export const configMapKind: KindDefinition = builtInKind({
  group: "",
  resource: "configmaps",
  kind: "ConfigMap",
  printer: configMapPrinter,
  quota: { objectCountName: "configmaps" },
  rules: async () => (await import("./config-map-rules.ts")).configMapRules,
});
