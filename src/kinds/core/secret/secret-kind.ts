import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const secretKind: KindDefinition = builtInKind({
  group: "",
  resource: "secrets",
  kind: "Secret",
  quota: { objectCountName: "secrets" },
  rules: async () => (await import("./secret-rules.ts")).secretRules,
});
