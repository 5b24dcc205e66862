import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { flowcontrolPrinters } from "../../printers/flowcontrol.ts";

export const flowSchemaKind: KindDefinition = builtInKind({
  group: "flowcontrol.apiserver.k8s.io",
  resource: "flowschemas",
  kind: "FlowSchema",
  printer: flowcontrolPrinters["flowschemas"],
  rules: async () => (await import("./flow-schema-rules.ts")).flowSchemaRules,
});
