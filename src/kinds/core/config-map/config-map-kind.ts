import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const configMapKind: KindDefinition = builtInKind({
  group: "",
  resource: "configmaps",
  kind: "ConfigMap",
  quota: { objectCountName: "configmaps" },
  rules: async () => (await import("./config-map-rules.ts")).configMapRules,
});
