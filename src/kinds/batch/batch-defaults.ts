import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, inStruct, whenUnset, whenZero } from "../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../pod-spec/defaults/pod-spec-defaults.ts";
import { labelAsTemplate } from "../workload/template-labels.ts";

/** For int32, any number. */
const unlimited = 2 ** 31 - 1;

const podFailurePolicy = ifSet(
  "podFailurePolicy",
  each("rules", each("onPodConditions", whenZero({ status: "True" }))),
);

/** Job */
export const jobDefaults: Defaulter = all(
  labelAsTemplate,
  inStruct(
    "spec",
    jobCounts,
    whenUnset({ completionMode: "NonIndexed", suspend: false, manualSelector: false }),
    podFailurePolicy,
    podTemplateDefaults,
  ),
);

/** CronJob. The jobs it makes get the defaults of a Job when they are created. */
export const cronJobDefaults: Defaulter = inStruct(
  "spec",
  whenZero({ concurrencyPolicy: "Allow" }),
  whenUnset({ suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  inStruct("jobTemplate", inStruct("spec", podFailurePolicy, podTemplateDefaults)),
);

/** One pod that succeeds once, unless only its parallelism is given: then the first success ends the job. */
function jobCounts(spec: MutableJsonObject): void {
  if (spec["parallelism"] === undefined) spec["completions"] ??= 1;
  spec["parallelism"] ??= 1;
  spec["backoffLimit"] ??= spec["backoffLimitPerIndex"] === undefined ? 6 : unlimited;
  spec["podReplacementPolicy"] ??= spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed";
}
