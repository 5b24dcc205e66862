import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { podNameWarnings } from "../../workload/pod-template.ts";
import { gatedStatusFields } from "../../workload/replica-status.ts";
import { newTemplateWarnings, templateWarnings } from "../../workload/template-warnings.ts";
import { addDeploymentErrors, addDeploymentStatusErrors } from "./deployment-validation.ts";

const specChanged = changed("spec");

/**
 * The strategy of Deployments. A change of annotations also increments the generation: controllers copy them to the
 * ReplicaSets.
 */
export function deploymentStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withGeneration(withGatedTemplate(base, gates), specOrAnnotationsChanged),
    validate: (errors, object) => addDeploymentErrors(errors, object, gates),
    warningsOnCreate: (object) => [...podNameWarnings(object, gates), ...newTemplateWarnings(object, gates)],
    validateUpdate: (errors, object, old) => addDeploymentErrors(errors, object, gates, old),
    warningsOnUpdate: (object, old) => templateWarnings(object, old, gates),
  };
}

/** The strategy of `/status`, which does not change the labels. */
export function deploymentStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status = withGatedFields(statusStrategy(base), gates, gatedStatusFields);
  return {
    ...status,
    countsGeneration: undefined,
    prepareForUpdate: (object, old, context) => {
      status.prepareForUpdate(object, old, context);
      if (old.metadata.labels === undefined) delete object.metadata.labels;
      else object.metadata.labels = old.metadata.labels;
    },
    validateUpdate: addDeploymentStatusErrors,
  };
}

function specOrAnnotationsChanged(object: KubeObject, old: KubeObject): boolean {
  const { annotations = {} } = object.metadata;
  return specChanged(object, old) || !jsonEqual(annotations, old.metadata.annotations ?? {});
}
