import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { appsPrinters } from "../../printers/workloads.ts";

export const controllerRevisionKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  printer: appsPrinters["controllerrevisions"],
  rules: async () => (await import("./controller-revision-rules.ts")).controllerRevisionRules,
});
