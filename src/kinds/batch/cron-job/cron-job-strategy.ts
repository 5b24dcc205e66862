import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { hasNewGeneration, podNameWarnings } from "../../workload/pod-template.ts";
import { gatedJobFields } from "../job/gated-job-fields.ts";
import { jobSpecWarnings } from "../job/job-warnings.ts";
import {
  addCronJobErrors,
  addNameLengthErrors,
  jobTemplatePath,
  jobTemplateSpecOf,
} from "./cron-job-validation.ts";

const podSpecPath = ["spec", "jobTemplate", "spec", "template", "spec"];

const gatedFields = [
  gatedField("CronJobTimeZone", "spec", "timeZone"),
  ...gatedJobFields("spec", "jobTemplate", "spec"),
];

// The duplicate `spec` is in upstream's messages.
const timeZoneWarning =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
const earlyTimeZoneWarning =
  "CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

/** The strategy of CronJobs. */
export function cronJobStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(
      withGatedFields(withGatedTemplate(base, gates, podSpecPath), gates, gatedFields),
      changed("spec"),
    ),
    validate: (errors, object) => {
      addCronJobErrors(errors, object, gates);
      addNameLengthErrors(errors, object);
    },
    warningsOnCreate: (object) => [
      ...podNameWarnings(object, gates),
      ...jobSpecWarnings(jobTemplateSpecOf(object), jobTemplatePath, gates),
      ...timeZoneWarnings(object, gates),
    ],
    validateUpdate: (errors, object, old) => addCronJobErrors(errors, object, gates, old),
    warningsOnUpdate: (object, old) => warningsOnUpdate(object, old, gates),
  };
}

function warningsOnUpdate(cronJob: KubeObject, old: KubeObject, gates: FeatureGates): readonly string[] {
  const jobWarnings = hasNewGeneration(cronJob, old)
    ? jobSpecWarnings(jobTemplateSpecOf(cronJob), jobTemplatePath, gates)
    : [];
  return [...jobWarnings, ...timeZoneWarnings(cronJob, gates)];
}

/** Since 1.29, only schedules that had a time zone before may have one. Releases before 1.22 refuse all of them. */
function timeZoneWarnings(cronJob: KubeObject, gates: FeatureGates): readonly string[] {
  if (!textAt(structAt(cronJob, "spec"), "schedule").includes("TZ")) return [];
  return [gates.since("1.29") ? timeZoneWarning : earlyTimeZoneWarning];
}
