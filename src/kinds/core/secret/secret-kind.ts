import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const secretKind: KindDefinition = builtInKind({
  group: "",
  resource: "secrets",
  kind: "Secret",
  printer: corePrinters["secrets"],
  quota: { objectCountName: "secrets" },
  rules: async () => (await import("./secret-rules.ts")).secretRules,
});
