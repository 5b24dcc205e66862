import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import {
  beginTemplateGeneration,
  countTemplateGeneration,
  keepTemplateGeneration,
} from "../../workload/template-generation.ts";
import { newTemplateWarnings, templateWarnings } from "../../workload/template-warnings.ts";
import { daemonSetErrors, daemonSetStatusErrors, daemonSetUpdateErrors } from "./daemon-set-validation.ts";

const gatedFields = [
  gatedField("DaemonSetUpdateSurge", "spec", "updateStrategy", "rollingUpdate", "maxSurge"),
];

/** DaemonSets count changes of their template as well, in an annotation. */
export function daemonSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(withGatedTemplate(base, gates), gates, gatedFields);
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object, context) => {
      gated.prepareForCreate(object, context);
      beginTemplateGeneration(object);
    },
    validate: (object) => daemonSetErrors(object, gates),
    warningsOnCreate: (object) => newTemplateWarnings(object, gates),
    prepareForUpdate: (object, old, context) => {
      gated.prepareForUpdate(object, old, context);
      keepTemplateGeneration(object, old);
    },
    prepareForGeneration: countTemplateGeneration,
    validateUpdate: (object, old) => daemonSetUpdateErrors(object, old, gates),
    warningsOnUpdate: (object, old) => templateWarnings(object, old, gates),
  };
}

/** `/status` of a DaemonSet leaves the count of its templates alone, which is of its spec. */
export function daemonSetStatusStrategy(base: Strategy): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      keepTemplateGeneration(object, old);
    },
    validateUpdate: daemonSetStatusErrors,
  };
}
