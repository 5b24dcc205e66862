import { textAt } from "../../apimachinery/fields.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { withGatedTemplate } from "../apps/gated-template.ts";
import { hasNewGeneration, podNameWarnings } from "../apps/pod-template.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import { gatedField, withGatedFields } from "../gated-fields.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";
import { addNameOfJobs, cronJobErrors, jobTemplatePath, jobTemplateSpecOf } from "./cron-job-validation.ts";
import { gatedJobFields } from "./gated-job-fields.ts";
import { jobSpecWarnings } from "./job-warnings.ts";

const podSpecPath = ["spec", "jobTemplate", "spec", "template", "spec"];

const gatedFields = [
  gatedField("CronJobTimeZone", "spec", "timeZone"),
  ...gatedJobFields("spec", "jobTemplate", "spec"),
];

const zoneInSchedule =
  // Upstream's path, which has one `spec` too many.
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

/** CronJobs make Jobs, whose names are longer than theirs. */
export function cronJobStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(
      withGatedFields(withGatedTemplate(base, gates, podSpecPath), gates, gatedFields),
      changed("spec"),
    ),
    validate: (object) => {
      const errors = cronJobErrors(object, gates);
      addNameOfJobs(errors, object);
      return errors;
    },
    warningsOnCreate: (object) => [
      ...podNameWarnings(object),
      ...jobSpecWarnings(jobTemplateSpecOf(object), jobTemplatePath, gates),
    ],
    validateUpdate: (object, old) => cronJobErrors(object, gates, old),
    warningsOnUpdate: (object, old) => warningsOnUpdate(object, old, gates),
  };
}

function warningsOnUpdate(cronJob: KubeObject, old: KubeObject, gates: FeatureGates): readonly string[] {
  const ofJobs = hasNewGeneration(cronJob, old)
    ? jobSpecWarnings(jobTemplateSpecOf(cronJob), jobTemplatePath, gates)
    : [];
  const hasZone = textAt(section(cronJob, "spec"), "schedule").includes("TZ");
  return hasZone ? [...ofJobs, zoneInSchedule] : ofJobs;
}
