import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { flowSchemaPrinter } from "./flow-schema-printer.ts";

export const flowSchemaKind: KindDefinition = builtInKind({
  group: "flowcontrol.apiserver.k8s.io",
  resource: "flowschemas",
  kind: "FlowSchema",
  printer: flowSchemaPrinter,
  rules: async () => (await import("./flow-schema-rules.ts")).flowSchemaRules,
});
