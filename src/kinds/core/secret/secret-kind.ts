import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { secretPrinter } from "./secret-printer.ts";

export const secretKind: KindDefinition = builtInKind({
  group: "",
  resource: "secrets",
  kind: "Secret",
  printer: secretPrinter,
  quota: { objectCountName: "secrets" },
  rules: async () => (await import("./secret-rules.ts")).secretRules,
});
