import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const limitRangeKind: KindDefinition = builtInKind({
  group: "",
  resource: "limitranges",
  kind: "LimitRange",
  rules: async () => (await import("./limit-range-rules.ts")).limitRangeRules,
});
