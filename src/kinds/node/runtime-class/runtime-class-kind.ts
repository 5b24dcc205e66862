import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { nodeApiPrinters } from "../../printers/machinery.ts";

export const runtimeClassKind: KindDefinition = builtInKind({
  group: "node.k8s.io",
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  printer: nodeApiPrinters["runtimeclasses"],
  rules: async () => (await import("./runtime-class-rules.ts")).runtimeClassRules,
});
