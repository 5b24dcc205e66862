import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const flowSchemaKind: KindDefinition = builtInKind({
  group: "flowcontrol.apiserver.k8s.io",
  resource: "flowschemas",
  kind: "FlowSchema",
  printer: async () => (await import("./flow-schema-printer.ts")).flowSchemaPrinter,
  rules: async () => (await import("./flow-schema-rules.ts")).flowSchemaRules,
});
