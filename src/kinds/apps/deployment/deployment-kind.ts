import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const deploymentKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "deployments",
  kind: "Deployment",
  cohabitants: { extensions: {} },
  printer: async () => (await import("./deployment-printer.ts")).deploymentPrinter,
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./deployment-rules.ts")).deploymentRules,
});
