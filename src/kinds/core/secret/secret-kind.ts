import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const secretKind: KindDefinition = builtInKind({
  group: "",
  resource: "secrets",
  kind: "Secret",
  printer: async () => (await import("./secret-printer.ts")).secretPrinter,
  quota: { objectCountName: "secrets" },
  rules: async () => (await import("./secret-rules.ts")).secretRules,
});
