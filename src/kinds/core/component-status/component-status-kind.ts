import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { componentStatusPrinter } from "./component-status-printer.ts";

export const componentStatusKind: KindDefinition = builtInKind({
  group: "",
  resource: "componentstatuses",
  kind: "ComponentStatus",
  isStored: false,
  printer: componentStatusPrinter,
  rules: async () => (await import("./component-status-rules.ts")).componentStatusRules,
});
