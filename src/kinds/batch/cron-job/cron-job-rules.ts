import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { cronJobDefaults } from "./cron-job-defaults.ts";
import { cronJobStrategy } from "./cron-job-strategy.ts";

export const cronJobRules: KindRules<"cronjobs"> = {
  strategy: cronJobStrategy,
  versions: {
    "batch/v1": { defaults: cronJobDefaults },
    "batch/v1beta1": { defaults: cronJobDefaults },
    "batch/v2alpha1": { defaults: cronJobDefaults },
  },
};
