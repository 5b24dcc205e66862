import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { podKind } from "../pod/pod-kind.ts";

export const bindingKind: KindDefinition = builtInKind({
  group: "",
  resource: "bindings",
  kind: "Binding",
  isStored: false,
  uses: [podKind],
  rules: async () => (await import("./binding-rules.ts")).bindingRules,
});
