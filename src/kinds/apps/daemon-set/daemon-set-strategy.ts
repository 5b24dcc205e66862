import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import {
  incrementTemplateGeneration,
  initializeTemplateGeneration,
  keepTemplateGeneration,
} from "../../workload/template-generation.ts";
import { newTemplateWarnings, templateWarnings } from "../../workload/template-warnings.ts";
import {
  addDaemonSetErrors,
  addDaemonSetStatusErrors,
  addDaemonSetUpdateErrors,
} from "./daemon-set-validation.ts";

const gatedFields = [
  gatedField("DaemonSetUpdateSurge", "spec", "updateStrategy", "rollingUpdate", "maxSurge"),
];

/** The strategy of DaemonSets, which also count changes of their template in an annotation. */
export function daemonSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(withGatedTemplate(base, gates), gates, gatedFields);
  return {
    ...withGeneration(base, changed("spec")),
    metadataChecks: { create: "core", update: "own" },
    prepareForCreate: (object, context) => {
      gated.prepareForCreate(object, context);
      initializeTemplateGeneration(object);
    },
    validate: (errors, object) => addDaemonSetErrors(errors, object, gates),
    warningsOnCreate: (object) => newTemplateWarnings(object, gates),
    prepareForUpdate: (object, old, context) => {
      gated.prepareForUpdate(object, old, context);
      keepTemplateGeneration(object, old);
    },
    prepareForGeneration: incrementTemplateGeneration,
    validateUpdate: (errors, object, old) => addDaemonSetUpdateErrors(errors, object, old, gates),
    warningsOnUpdate: (object, old) => templateWarnings(object, old, gates),
  };
}

/** The strategy of `/status`, which cannot change the template generation. */
export function daemonSetStatusStrategy(base: Strategy): Strategy {
  const status = statusStrategy(base);
  return {
    ...status,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      keepTemplateGeneration(object, old);
    },
    validateUpdate: addDaemonSetStatusErrors,
  };
}
