import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const namespaceKind: KindDefinition = builtInKind({
  group: "",
  resource: "namespaces",
  kind: "Namespace",
  fieldSelectors: { aliases: { name: "metadata.name" } },
  printer: corePrinters["namespaces"],
  rules: async () => (await import("./namespace-rules.ts")).namespaceRules,
});
