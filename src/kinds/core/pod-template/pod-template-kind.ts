import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { corePrinters } from "../../printers/core.ts";

export const podTemplateKind: KindDefinition = builtInKind({
  group: "",
  resource: "podtemplates",
  kind: "PodTemplate",
  printer: corePrinters["podtemplates"],
  podTemplate: ["template"],
  rules: async () => (await import("./pod-template-rules.ts")).podTemplateRules,
});
