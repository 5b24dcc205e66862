import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const statefulSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "statefulsets",
  kind: "StatefulSet",
  printer: async () => (await import("./stateful-set-printer.ts")).statefulSetPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./stateful-set-rules.ts")).statefulSetRules,
});
