import { builtInKind, type KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { batchPrinters } from "../../printers/workloads.ts";

export const cronJobKind: KindDefinition = builtInKind({
  group: "batch",
  resource: "cronjobs",
  kind: "CronJob",
  printer: batchPrinters["cronjobs"],
  podTemplate: ["spec", "jobTemplate", "spec", "template"],
  rules: async () => (await import("./cron-job-rules.ts")).cronJobRules,
});
