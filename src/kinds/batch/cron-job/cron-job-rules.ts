import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { cronJobDefaults } from "./cron-job-defaults.ts";
import { cronJobStrategy } from "./cron-job-strategy.ts";

export const cronJobRules: BuiltInRules<"cronjobs"> = {
  strategy: cronJobStrategy,
  versions: {
    "batch/v1": {
      defaults: withTemplateHostPorts(cronJobDefaults, "spec", "jobTemplate", "spec", "template"),
    },
    "batch/v1beta1": {
      defaults: withTemplateHostPorts(cronJobDefaults, "spec", "jobTemplate", "spec", "template"),
    },
    "batch/v2alpha1": {
      defaults: withTemplateHostPorts(cronJobDefaults, "spec", "jobTemplate", "spec", "template"),
    },
  },
};
