import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const podTemplateKind: KindDefinition = builtInKind({
  group: "",
  resource: "podtemplates",
  kind: "PodTemplate",
  printer: async () => (await import("./pod-template-printer.ts")).podTemplatePrinter,
  podTemplate: ["template"],
  rules: async () => (await import("./pod-template-rules.ts")).podTemplateRules,
});
