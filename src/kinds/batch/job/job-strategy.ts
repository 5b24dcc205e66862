import { structAt } from "../../../apimachinery/fields.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { hasNewGeneration, podNameWarnings } from "../../workload/pod-template.ts";
import { gatedJobFields } from "./gated-job-fields.ts";
import { generateSelector, withTemplateLabels } from "./job-selector.ts";
import { addJobStatusErrors } from "./job-status-validation.ts";
import { prepareTracking } from "./job-tracking.ts";
import { addJobErrors, addJobUpdateErrors } from "./job-validation.ts";
import { jobSpecWarnings } from "./job-warnings.ts";

/** The strategy of Jobs. Deleting a Job orphans its pods unless the request asks for another propagation policy. */
export function jobStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  const { gates } = facts;
  const tracked = withPreparation(base, (object, old) => prepareTracking(object, old, gates));
  const gated = withGatedFields(withGatedTemplate(tracked, gates), gates, gatedJobFields("spec"));
  return {
    ...withGeneration(gated, changed("spec")),
    prepareForCreate: (object, context) => {
      gated.prepareForCreate(object, context);
      generateSelector(object);
    },
    withStorageDefaults: withTemplateLabels,
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, object) => addJobErrors(errors, object, gates),
    warningsOnCreate: (object) => [
      ...podNameWarnings(object, gates),
      ...jobSpecWarnings(structAt(object, "spec"), "spec", gates),
    ],
    validateUpdate: (errors, object, old) => addJobUpdateErrors(errors, object, old, gates),
    warningsOnUpdate: (object, old) =>
      hasNewGeneration(object, old) ? jobSpecWarnings(structAt(object, "spec"), "spec", gates) : [],
    garbageCollectionPolicy: "orphan",
    orphanWarning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  };
}

/** The strategy of `/status`. */
export function jobStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: (errors, object, old) => addJobStatusErrors(errors, object, old, gates),
  };
}
