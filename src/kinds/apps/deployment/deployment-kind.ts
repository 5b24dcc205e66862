import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { appsPrinters } from "../../printers/workloads.ts";

export const deploymentKind: KindDefinition = builtInKind({
  group: "apps",
  resource: "deployments",
  kind: "Deployment",
  cohabitants: { extensions: {} },
  printer: appsPrinters["deployments"],
  podTemplate: ["spec", "template"],
  rules: async () => (await import("./deployment-rules.ts")).deploymentRules,
});
