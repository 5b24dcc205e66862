import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const controllerRevisionKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  printer: async () => (await import("./controller-revision-printer.ts")).controllerRevisionPrinter,
  rules: async () => (await import("./controller-revision-rules.ts")).controllerRevisionRules,
});
