import { type Defaulter, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { podFailurePolicyDefaults } from "../job/job-defaults.ts";

/**
 * CronJob. Its Jobs get most of their defaults when they are created.
 * Upstream: pkg/apis/batch/v1/defaults.go, SetDefaults_CronJob.
 */
export const cronJobDefaults: Defaulter = inStruct(
  "spec",
  whenZero({ concurrencyPolicy: "Allow" }),
  whenUnset({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  inStruct("jobTemplate", inStruct("spec", podFailurePolicyDefaults, podTemplateDefaults)),
);
