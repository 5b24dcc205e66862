import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const componentStatusKind: KindDefinition = builtInKind({
  group: "",
  resource: "componentstatuses",
  kind: "ComponentStatus",
  isStored: false,
  printer: corePrinters["componentstatuses"],
  rules: async () => (await import("./component-status-rules.ts")).componentStatusRules,
});
