import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const serviceAccountKind: KindDefinition = builtInKind({
  group: "",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  rules: async () => (await import("./service-account-rules.ts")).serviceAccountRules,
});
