import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const componentStatusKind: KindDefinition = builtInKind({
  group: "",
  resource: "componentstatuses",
  kind: "ComponentStatus",
  isStored: false,
  printer: async () => (await import("./component-status-printer.ts")).componentStatusPrinter,
  rules: async () => (await import("./component-status-rules.ts")).componentStatusRules,
});
