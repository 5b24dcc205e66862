import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";

export const cronJobKind: KindDefinition = builtInKind({
  group: "batch",
  resource: "cronjobs",
  kind: "CronJob",
  printer: async () => (await import("./cron-job-printer.ts")).cronJobPrinter,
  podTemplate: ["spec", "jobTemplate", "spec", "template"],
  rules: async () => (await import("./cron-job-rules.ts")).cronJobRules,
});
