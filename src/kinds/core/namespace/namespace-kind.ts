import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const namespaceKind: KindDefinition = builtInKind({
  group: "",
  resource: "namespaces",
  kind: "Namespace",
  fieldSelectors: { aliases: { name: "metadata.name" } },
  printer: async () => (await import("./namespace-printer.ts")).namespacePrinter,
  rules: async () => (await import("./namespace-rules.ts")).namespaceRules,
});
