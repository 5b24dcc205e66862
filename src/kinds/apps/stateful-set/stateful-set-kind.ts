import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { statefulSetPrinter } from "./stateful-set-printer.ts";

export const statefulSetKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "statefulsets",
  kind: "StatefulSet",
  printer: statefulSetPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./stateful-set-rules.ts")).statefulSetRules,
});
