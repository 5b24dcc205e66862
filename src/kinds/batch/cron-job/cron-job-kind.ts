import { builtInKind } from "../../../registry/contract/built-in-kind.ts";
import type { KindDefinition } from "../../../registry/contract/kind-definition.ts";
import { cronJobPrinter } from "./cron-job-printer.ts";

export const cronJobKind: KindDefinition = builtInKind({
  group: "batch",
  resource: "cronjobs",
  kind: "CronJob",
  printer: cronJobPrinter,
  podTemplate: ["spec", "jobTemplate", "spec", "template"],
  rules: async () => (await import("./cron-job-rules.ts")).cronJobRules,
});
